import type {
  InlineCode,
  Link,
  Nodes,
  Paragraph,
  Parents,
  PhrasingContent,
  RootContent,
  Text,
} from 'mdast';

type MarkName = 'strong' | 'emphasis' | 'delete';

/** A piece of a paragraph that has no other pieces inside. */
interface Leaf {
  node: PhrasingContent;
  /** Including the link. */
  marks: readonly (MarkName | Link)[];
}

const isMark = (node: Nodes): node is Nodes & { type: MarkName } =>
  node.type === 'strong' || node.type === 'emphasis' || node.type === 'delete';

const isSpace = ({ node }: Leaf): boolean =>
  node.type === 'break' || (node.type === 'text' && /^\s*$/.test(node.value));

/**
 * Rewrites the text of every block: equal marks are joined, spaces are outside of marks, and two
 * line breaks in a row end a paragraph.
 */
export function tidyBlocks<Parent extends Parents>(parent: Parent): Parent {
  const children = (parent.children as RootContent[]).flatMap((child): RootContent[] => {
    if (child.type === 'paragraph') return paragraphs(child);
    if (child.type === 'heading' || child.type === 'tableCell') {
      const leaves = leavesOf(child.children).map(
        (leaf): Leaf =>
          leaf.node.type === 'break' ? { ...leaf, node: { type: 'text', value: ' ' } } : leaf,
      );
      const content = build(tidy(leaves));
      return child.type === 'heading' && content.length === 0
        ? []
        : [{ ...child, children: content }];
    }
    return 'children' in child ? [withSpread(tidyBlocks(child))] : [child];
  });
  return { ...parent, children };
}

/** Only items with several paragraphs have empty lines: word processors use them in every item. */
function withSpread(node: RootContent): RootContent {
  if (node.type === 'list') return { ...node, spread: node.children.some((item) => item.spread) };
  if (node.type !== 'listItem') return node;
  const blocks = node.children.filter(({ type }) => type !== 'list');
  return { ...node, spread: blocks.length > 1 };
}

function paragraphs(paragraph: Paragraph): Paragraph[] {
  const parts: Leaf[][] = [[]];
  let breaks = 0;
  for (const leaf of leavesOf(paragraph.children)) {
    if (leaf.node.type === 'break') breaks += 1;
    else if (!isSpace(leaf)) {
      if (breaks > 1) parts.push([]);
      breaks = 0;
    }
    parts.at(-1)?.push(leaf);
  }
  return parts
    .map((leaves): Paragraph => ({ type: 'paragraph', children: build(tidy(leaves)) }))
    .filter(({ children }) => children.length > 0);
}

function leavesOf(
  nodes: readonly PhrasingContent[],
  marks: Leaf['marks'] = [],
  found: Leaf[] = [],
): Leaf[] {
  for (const node of nodes) {
    if (node.type === 'link') {
      const outer = marks.filter((mark) => typeof mark === 'string');
      leavesOf(node.children, [...outer, node], found);
    } else if (isMark(node)) {
      leavesOf(node.children, marks.includes(node.type) ? marks : [...marks, node.type], found);
    } else if (node.type === 'text' || node.type === 'inlineCode') {
      found.push(...partsOf(node).map((part) => ({ node: part, marks })));
    } else found.push({ node, marks });
  }
  return found;
}

/** The spaces around a text are pieces of their own. */
function partsOf(node: Text | InlineCode): PhrasingContent[] {
  const value = node.value.trim();
  const start = node.value.indexOf(value);
  const [before, after] = [node.value.slice(0, start), node.value.slice(start + value.length)];
  const space = (spaces: string): PhrasingContent[] =>
    spaces === '' ? [] : [{ type: 'text', value: spaces }];
  return [...space(before), ...(value === '' ? [] : [{ ...node, value }]), ...space(after)];
}

const sameMark = (a: MarkName | Link, b: MarkName | Link): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && isSameLink(a, b));

/** A link around several pieces has the same object of data. */
const isSameLink = (a: Link, b: Link): boolean => a.data !== undefined && a.data === b.data;

const common = (a: Leaf['marks'], b: Leaf['marks']): Leaf['marks'] =>
  a.filter((mark) => b.some((other) => sameMark(mark, other)));

/** Spaces and pictures have the marks that the texts before and after them share. */
function tidy(leaves: readonly Leaf[]): Leaf[] {
  const trimmed = collapse(leaves);
  const isText = trimmed.map((leaf) => !isSpace(leaf) && leaf.node.type !== 'image');
  const before: Leaf['marks'][] = [];
  trimmed.reduce<Leaf['marks']>((marks, leaf, index) => {
    before[index] = marks;
    return isText[index] ? leaf.marks : marks;
  }, []);
  const after: Leaf['marks'][] = [];
  trimmed.reduceRight<Leaf['marks']>((marks, leaf, index) => {
    after[index] = marks;
    return isText[index] ? leaf.marks : marks;
  }, []);
  return trimmed.map((leaf, index) => {
    if (isText[index]) return leaf;
    const shared = common(before[index] ?? [], after[index] ?? []);
    if (leaf.node.type !== 'image') return { ...leaf, marks: shared };
    const link = leaf.marks.filter((mark) => typeof mark === 'object');
    const marks = shared.filter((mark) => typeof mark === 'string');
    return { ...leaf, marks: [...marks, ...link] };
  });
}

/** Removes spaces at the ends, beside line breaks, and after other spaces. */
function collapse(leaves: readonly Leaf[]): Leaf[] {
  const result: Leaf[] = [];
  for (const leaf of leaves) {
    const last = result.at(-1);
    if (leaf.node.type === 'break') {
      while (isBlankText(result.at(-1))) result.pop();
      if (result.length > 0) result.push(leaf);
    } else if (!isSpace(leaf)) result.push(leaf);
    else if (last && !isSpace(last)) result.push(leaf);
    else if (isBlankText(last) && !/\u00a0/.test(textIn(last)) && /\u00a0/.test(textIn(leaf)))
      result[result.length - 1] = leaf;
  }
  while (result.length > 0 && isSpace(result.at(-1) as Leaf)) result.pop();
  return result;
}

const isBlankText = (leaf: Leaf | undefined): leaf is Leaf =>
  leaf?.node.type === 'text' && isSpace(leaf);

const textIn = ({ node }: Leaf): string => ('value' in node ? node.value : '');

/** Puts the marks around the pieces again, each around as many as possible. */
function build(leaves: readonly Leaf[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  let index = 0;
  while (index < leaves.length) {
    const leaf = leaves[index] as Leaf;
    const [widest] = leaf.marks
      .map((mark) => ({ mark, end: endOf(leaves, index, mark) }))
      // A link is around the marks of its whole text.
      .sort(
        (a, b) =>
          b.end - a.end || Number(typeof a.mark === 'string') - Number(typeof b.mark === 'string'),
      );
    if (!widest) {
      append(result, leaf.node);
      index += 1;
      continue;
    }
    const { mark, end } = widest;
    const inner = build(
      leaves.slice(index, end).map((each) => ({
        ...each,
        marks: each.marks.filter((other) => !sameMark(mark, other)),
      })),
    );
    result.push(
      typeof mark === 'string'
        ? { type: mark, children: inner }
        : {
            type: 'link',
            url: mark.url,
            title: mark.title ?? null,
            children: inner as Link['children'],
          },
    );
    index = end;
  }
  return result;
}

function endOf(leaves: readonly Leaf[], start: number, mark: MarkName | Link): number {
  let end = start + 1;
  while (leaves[end]?.marks.some((other) => sameMark(mark, other))) end += 1;
  return end;
}

/** Joins neighboring texts, and neighboring code, which would close each other. */
function append(nodes: PhrasingContent[], node: PhrasingContent): void {
  const last = nodes.at(-1);
  const isJoined =
    last && last.type === node.type && (node.type === 'text' || node.type === 'inlineCode');
  if (isJoined && 'value' in last)
    nodes[nodes.length - 1] = { ...node, value: last.value + node.value };
  else nodes.push(node);
}

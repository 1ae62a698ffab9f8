import { contentProblems } from '@app/contract/blog/post-content';
import { limits } from '@app/contract/limits';
import type { Element, ElementContent, Root as Html } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { htmlTagNames } from 'html-tag-names';
import type {
  Definition,
  Nodes,
  Parents,
  PhrasingContent,
  Html as RawHtml,
  Root,
  RootContent,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { type State, toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import { checkDepth } from './check-depth.ts';
import type { Notes } from './notes.ts';
import { parseHtml } from './parse-html.ts';
import { parseMdx } from './parse-mdx.ts';

/**
 * Parses Markdown with HTML in it, as the systems that it comes from do, to HTML.
 * @throws RangeError if it is nested too deeply
 */
export function parseMarkdown(text: string): Html {
  const tree = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  checkDepth(tree);
  return htmlOf(tree);
}

/** @throws RangeError if it is nested too deeply */
export function parseMdxOrMarkdown(text: string, notes: Notes): Html {
  const found: Notes = new Set();
  try {
    const html = htmlOf(parseMdx(text, found));
    for (const note of found) notes.add(note);
    return html;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    notes.add(`It is not valid MDX, so it was read as Markdown: ${(error as Error).message}.`);
    return parseMarkdown(text);
  }
}

function htmlOf(tree: Root): Html {
  const nodes = allNodes(tree);
  checkReferences(nodes);
  checkTables(nodes);
  const html = toHast(withoutAttributes(withTextTags(tree)), {
    allowDangerousHtml: true,
    handlers: { footnoteReference, footnoteDefinition },
  });
  return parseHtml(toHtml(html, { allowDangerousHtml: true }));
}

/** Each reference to a definition repeats its URL. */
function checkReferences(nodes: readonly Nodes[]): void {
  const sizes = new Map<string, number>();
  let size = 0;
  for (const node of nodes) if (node.type === 'definition') sizes.set(...sizeOf(node));
  for (const node of nodes) {
    if (node.type !== 'linkReference' && node.type !== 'imageReference') continue;
    size += sizes.get(node.identifier) ?? 0;
    if (size > limits.content) throw new Error('its links are too long');
  }
}

/** Short rows are filled up to the width of the table. */
function checkTables(nodes: readonly Nodes[]): void {
  let cells = 0;
  for (const node of nodes) {
    if (node.type !== 'table') continue;
    cells += node.children.length * (node.align?.length ?? 0);
    if (cells > limits.tableCells) throw new Error(contentProblems.tableCells);
  }
}

const sizeOf = ({ identifier, url, title }: Definition): [string, number] => [
  identifier,
  url.length + (title?.length ?? 0),
];

const allNodes = (node: Nodes): Nodes[] => [
  node,
  ...('children' in node ? node.children.flatMap(allNodes) : []),
];

const footnoteReference = (_: State, node: Nodes & { type: 'footnoteReference' }): Element => ({
  type: 'element',
  tagName: 'footnote-reference',
  properties: { dataLabel: node.label ?? node.identifier },
  // Spaces beside an element without text would be lost.
  children: [{ type: 'text', value: node.identifier }],
});

const footnoteDefinition = (
  state: State,
  node: Nodes & { type: 'footnoteDefinition' },
): Element => ({
  type: 'element',
  tagName: 'footnote-definition',
  properties: { dataLabel: node.label ?? node.identifier },
  children: state.wrap(state.all(node), true) as ElementContent[],
});

const tags = new Set([...htmlTagNames, 'footnote-reference', 'footnote-definition']);
const nameOfTag = /^<\/?([a-z][^\s/>]*)/i;

/** Names in angle brackets that are not elements are text, as in `List<String>`. */
const withTextTags = (tree: Root): Root =>
  mapNodes(tree, (node) => {
    if (node.type !== 'html') return [node];
    const name = nameOfTag.exec(node.value)?.[1]?.toLowerCase();
    const isText = name !== undefined && !tags.has(name) && !name.includes('-');
    return isText ? asText(node) : [node];
  });

const asText = ({ value }: RawHtml): RootContent[] => [{ type: 'text', value }];

/** Attributes of kramdown and Goldmark, such as `{:target="_blank"}` or `{#id .class}`. */
const attributesAtStart = /^\{:[^{}\n]*\}/;
const attributesAtEnd = /(?:^|[ \t]*\n|[ \t]+)\{(?::|[#.])[^{}\n]*\}[ \t]*$/;

function withoutAttributes(tree: Root): Root {
  return mapNodes(tree, (node) => {
    if (node.type !== 'paragraph' && node.type !== 'heading') return [node];
    const isHeading = node.type === 'heading';
    const children = node.children.flatMap((child, index, all): PhrasingContent[] => {
      if (child.type !== 'text') return [child];
      const isAfterElement = index > 0 && all[index - 1]?.type !== 'text';
      const value = textWithoutAttributes(child.value, {
        atStart: isAfterElement,
        atEnd: index === all.length - 1 && (isHeading || /(?:^|\n)\{:/.test(child.value)),
      });
      return value === '' ? [] : [{ ...child, value }];
    });
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}

function textWithoutAttributes(text: string, { atStart = false, atEnd = false }): string {
  const rest = atStart ? text.replace(attributesAtStart, '') : text;
  return atEnd ? rest.replace(attributesAtEnd, '') : rest;
}

/** A copy of a tree in which each node is replaced. */
function mapNodes<Parent extends Parents>(
  parent: Parent,
  replace: (node: RootContent) => RootContent[],
): Parent {
  const children = (parent.children as RootContent[])
    .flatMap(replace)
    .map((node) => ('children' in node ? mapNodes(node, replace) : node));
  return { ...parent, children };
}

import { limits } from '@app/contract/limits';
import { parser as commonMark, type MarkdownConfig, type MarkdownParser } from '@lezer/markdown';
import type { Notes } from './html-to-markdown.ts';

type Node = ReturnType<MarkdownParser['parse']>['topNode'];

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** `[^label]: note` and the indented lines below it, as in the posts of this site. */
const footnotes: MarkdownConfig = {
  defineNodes: [
    {
      name: 'Footnote',
      block: true,
      composite: (_, line) => {
        if (line.next === -1) return true;
        if (line.indent < line.baseIndent + 2) return false;
        line.moveBaseColumn(Math.min(line.indent, line.baseIndent + 4));
        return true;
      },
    },
  ],
  parseBlock: [
    {
      name: 'Footnote',
      parse: (context, line) => {
        const marker = /^\[\^[^\]\s]{1,60}\]:[ \t]*/.exec(line.text.slice(line.pos))?.[0];
        if (marker === undefined) return false;
        context.startComposite('Footnote', line.pos);
        line.moveBase(line.pos + marker.length);
        return null;
      },
    },
  ],
};

/** Faster without the syntax that does not matter here. */
const parser = commonMark.configure([footnotes, { remove: ['Emphasis', 'Entity', 'HardBreak'] }]);

/** In MDX, indented lines are text. */
const mdxParser = parser.configure({ remove: ['IndentedCode'] });

/** The parser takes quadratic time for brackets in a paragraph. No valid post has so many links. */
const maxBrackets = 10 * limits.links;

/**
 * Replaces Markdown syntax that posts of this site do not support: reference links become inline
 * links, underlined headings become headings with `#`, and indented code becomes fenced code.
 */
export function inlineSyntax(text: string, notes: Notes, format: 'markdown' | 'mdx'): string {
  if (text.split('[').length > maxBrackets) return text;
  const nodes: Node[] = [];
  const tree = (format === 'mdx' ? mdxParser : parser).parse(text);
  tree.iterate({ enter: ({ node }) => void nodes.push(node) });
  const references = nodes.filter(({ name }) => name === 'LinkReference');
  const targets = targetsOf(references, text);
  const edits = nodes.flatMap((node): Edit[] => {
    switch (node.name) {
      case 'Link':
      case 'Image':
        return inlineLink(node, text, targets, notes);
      case 'SetextHeading1':
        return headingWithSign(node, text, '# ', notes);
      case 'SetextHeading2':
        return headingWithSign(node, text, '## ', notes);
      case 'CodeBlock':
        return fencedCode(node, text, notes);
      default:
        return [];
    }
  });
  return edited(text, [...edits, ...references.map((reference) => withoutLine(reference, text))]);
}

/** Stops once the text is too long for a post, because it may refer to a long URL many times. */
function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    if (edit.from < position) continue;
    if (result.length > limits.content) break;
    result += text.slice(position, edit.from) + edit.text;
    position = edit.to;
  }
  return result + text.slice(position);
}

const textOf = (text: string, node: Node | null): string =>
  node ? text.slice(node.from, node.to) : '';

/** Labels are compared without case and extra spaces (CommonMark, 4.7). */
const keyOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** The URL and title that each label stands for, as in a link. */
function targetsOf(references: readonly Node[], text: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const reference of references) {
    const key = keyOf(textOf(text, reference.getChild('LinkLabel')).slice(1, -1));
    const url = textOf(text, reference.getChild('URL'));
    const title = textOf(text, reference.getChild('LinkTitle')).replace(/\s+/g, ' ');
    const destination = /[()]/.test(url) && !url.startsWith('<') ? `<${url}>` : url;
    if (!targets.has(key)) targets.set(key, `(${destination}${title && ` ${title}`})`);
  }
  return targets;
}

/** Adds the target to `[text][label]`, `[text][]` and `[text]`. */
function inlineLink(
  node: Node,
  text: string,
  targets: ReadonlyMap<string, string>,
  notes: Notes,
): Edit[] {
  const [start, end] = node.getChildren('LinkMark');
  if (!start || !end) return [];
  const label = text.slice(end.to, node.to);
  if (label !== '' && !label.startsWith('[')) return [];
  const named = label.slice(1, -1).trim() || text.slice(start.to, end.from);
  const target = targets.get(keyOf(named));
  if (target === undefined) return [];
  notes.add('Reference links became inline links.');
  return [{ from: end.to, to: node.to, text: target }];
}

/** Removes the definition of a reference. */
function withoutLine({ from, to }: Node, text: string): Edit {
  let start = from;
  while (text[start - 1] === ' ') start -= 1;
  return { from: start, to: text[to] === '\n' ? to + 1 : to, text: '' };
}

function headingWithSign(node: Node, text: string, sign: string, notes: Notes): Edit[] {
  const line = node.getChild('HeaderMark');
  if (!line) return [];
  notes.add('Underlined headings became headings with #.');
  const end = text.lastIndexOf('\n', line.from - 1);
  const breaks = [...text.slice(node.from, end).matchAll(/\n[ \t>]*/g)];
  return [
    { from: node.from, to: node.from, text: sign },
    ...breaks.map(({ 0: found, index }) => ({
      from: node.from + index,
      to: node.from + index + found.length,
      text: ' ',
    })),
    { from: end, to: line.to, text: '' },
  ];
}

function fencedCode(node: Node, text: string, notes: Notes): Edit[] {
  notes.add('Indented code became fenced code.');
  const code = node
    .getChildren('CodeText')
    .map((part) => textOf(text, part))
    .join('');
  const before = text.slice(text.lastIndexOf('\n', node.from - 1) + 1, node.from);
  const indent = /(?: {4}| {0,3}\t)$/.exec(before)?.[0].length ?? 0;
  // The prefix of the quotes and lists around it. A list's marker is only before its first line.
  const start = before.slice(0, before.length - indent).replace(/[^>\s]/g, ' ');
  const longest = [...code.matchAll(/`+/g)].reduce((max, [run]) => Math.max(max, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const lines = [fence, ...code.split('\n').map((line) => start + line), start + fence];
  return [{ from: node.from - indent, to: node.to, text: lines.join('\n') }];
}

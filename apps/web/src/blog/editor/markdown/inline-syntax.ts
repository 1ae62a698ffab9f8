import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { markdownParser } from './markdown-syntax.ts';

type Tree = ReturnType<typeof syntaxTree>;
export type SyntaxNode = Tree['topNode'];

export interface Range {
  from: number;
  to: number;
}

const kinds = {
  StrongEmphasis: 'bold',
  Emphasis: 'italic',
  Strikethrough: 'strikethrough',
  InlineCode: 'code',
  Link: 'link',
  Image: 'image',
} as const;

type Kind = (typeof kinds)[keyof typeof kinds];

/** Marked text, with its marks. */
export interface Marked extends Range {
  kind: Kind;
  /** Without the marks. */
  content: Range;
}

/** Parsing the text around the cursor must not be noticeable. In characters on each side. */
const maxContext = 4_000;

/** In milliseconds. */
const parseTimeout = 50;

const collect = (tree: Tree, range: Range): Marked[] => {
  const found: Marked[] = [];
  tree.iterate({
    ...range,
    enter({ name, node }) {
      const kind = kinds[name as keyof typeof kinds];
      const content = contentOf(node);
      if (kind && content) found.push({ kind, from: node.from, to: node.to, content });
    },
  });
  return found;
};

/** The text between the first two marks of a link or picture, or between the only two. */
const contentOf = ({ firstChild }: SyntaxNode): Range | null => {
  let mark = firstChild?.nextSibling;
  while (mark && mark.name !== firstChild?.name) mark = mark.nextSibling;
  return firstChild && mark ? { from: firstChild.to, to: mark.from } : null;
};

/** The marked texts in a part of the text. */
export const markedIn = (state: EditorState, range: Range): Marked[] =>
  collect(ensureSyntaxTree(state, range.to, parseTimeout) ?? syntaxTree(state), range);

/**
 * The marked texts around a position as they would be after typing a letter there. So marks that
 * are empty, or whose text ends with a space, count too, although they are none yet.
 */
export const markedAround = (state: EditorState, at: number): Marked[] => {
  const { from, to } = paragraphAround(state, at);
  const text = `${state.sliceDoc(from, at)}x${state.sliceDoc(at, to)}`;
  const inText = (position: number) => position + from - (position + from > at ? 1 : 0);
  return collect(markdownParser.parse(text), { from: 0, to: text.length }).map((marked) => ({
    kind: marked.kind,
    from: inText(marked.from),
    to: inText(marked.to),
    content: { from: inText(marked.content.from), to: inText(marked.content.to) },
  }));
};

const paragraphAround = ({ doc }: EditorState, at: number): Range => {
  let first = doc.lineAt(at);
  let last = first;
  const isInside = (number: number) =>
    number >= 1 && number <= doc.lines && doc.line(number).text.trim() !== '';
  while (at - first.from < maxContext && isInside(first.number - 1))
    first = doc.line(first.number - 1);
  while (last.to - at < maxContext && isInside(last.number + 1)) last = doc.line(last.number + 1);
  return { from: Math.max(first.from, at - maxContext), to: Math.min(last.to, at + maxContext) };
};

/** The innermost node with this name around a position. */
export const nodeAround = (state: EditorState, at: number, name: string): SyntaxNode | null => {
  for (const side of [-1, 1] as const) {
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side);
    while (node && node.name !== name) node = node.parent;
    if (node) return node;
  }
  return null;
};

import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type StateCommand } from '@codemirror/state';

/** Adds a mark around each selected text or the word at the cursor, or removes it. */
export const toggleMark =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const { from, to } = (range.empty && state.wordAt(range.head)) || range;
      const { length } = mark;
      const isAround = (text: string) =>
        state.sliceDoc(from - text.length, from) === text &&
        state.sliceDoc(to, to + text.length) === text;
      // Two stars are bold, three are bold and italic.
      const isMarked = isAround(mark === '*' && isAround('**') ? '***' : mark);
      return isMarked
        ? {
            changes: [
              { from: from - length, to: from },
              { from: to, to: to + length },
            ],
            range: EditorSelection.range(range.anchor - length, range.head - length),
          }
        : {
            changes: [
              { from, insert: mark },
              { from: to, insert: mark },
            ],
            range: EditorSelection.range(range.anchor + length, range.head + length),
          };
    });
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };

const url = /^(?:https?:\/\/|mailto:|tel:|\/)\S+$/;

/** Inserts a link, and puts the cursor where its text or URL is missing. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const change = state.changeByRange(({ from, to }) => {
    const selected = state.sliceDoc(from, to);
    const isUrl = url.test(selected);
    const insert = isUrl ? `[](${selected})` : `[${selected}](https://)`;
    const start = from + (isUrl ? 1 : selected.length + 3);
    const range = EditorSelection.range(start, isUrl ? start : start + 'https://'.length);
    return { changes: { from, to, insert }, range };
  });
  dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
  return true;
};

const prefixes = {
  heading: { pattern: /^#{1,6}\s+/, write: () => '## ' },
  bullets: { pattern: /^[-*+]\s+/, write: () => '- ' },
  numbers: { pattern: /^\d{1,9}[.)]\s+/, write: (number: number) => `${number}. ` },
  quote: { pattern: /^>\s?/, write: () => '> ' },
} as const;

export type LineMark = keyof typeof prefixes;

const anyList = /^(?:[-*+]|\d{1,9}[.)])\s+/;

/** Starts each selected line with a mark instead of another one, or removes it from all lines. */
export const toggleLines =
  (mark: LineMark): StateCommand =>
  ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const first = state.doc.lineAt(from).number;
    const last = state.doc.lineAt(to).number;
    const lines = Array.from({ length: last - first + 1 }, (_, index) =>
      state.doc.line(first + index),
    ).filter(({ text }) => first === last || text.trim() !== '');
    const { pattern, write } = prefixes[mark];
    const isOn = lines.every(({ text }) => pattern.test(text));
    const changes = lines.map(({ from: start, text }, index) => {
      const old = (pattern.exec(text) ?? (mark === 'quote' ? null : anyList.exec(text)))?.[0] ?? '';
      return { from: start, to: start + old.length, insert: isOn ? '' : write(index + 1) };
    });
    dispatch(state.update({ changes, userEvent: 'input', scrollIntoView: true }));
    return true;
  };

const nodes: Readonly<Record<string, keyof Marks>> = {
  StrongEmphasis: 'bold',
  Emphasis: 'italic',
  InlineCode: 'code',
  FencedCode: 'code',
  Link: 'link',
  BulletList: 'bullets',
  OrderedList: 'numbers',
  Blockquote: 'quote',
};

/** The formatting at the cursor. */
export type Marks = Record<'bold' | 'italic' | 'code' | 'link' | LineMark, boolean>;

export const marksAt = (state: EditorState): Marks => {
  const marks: Marks = {
    bold: false,
    italic: false,
    code: false,
    link: false,
    heading: false,
    bullets: false,
    numbers: false,
    quote: false,
  };
  const { head } = state.selection.main;
  for (
    let node: ReturnType<typeof syntaxTree>['topNode'] | null = syntaxTree(state).resolveInner(
      head,
      -1,
    );
    node;
    node = node.parent
  ) {
    const mark = node.name.startsWith('ATXHeading') ? 'heading' : nodes[node.name];
    if (mark) marks[mark] = true;
  }
  return marks;
};

import type { ChangeSpec, EditorState, Line, StateCommand } from '@codemirror/state';
import { isInCodeBlock } from './code-block.ts';

const markers = {
  heading: () => '## ',
  bullets: () => '- ',
  numbers: (number: number) => `${number}. `,
} as const;

export type LineMark = keyof typeof markers | 'quote';

const structure =
  /^(?<quote>(?:[ \t]*>[ \t]?)*)(?<indent>[ \t]*)(?:(?<heading>#{1,6}(?:[ \t]+|$))|(?:(?<bullets>[-*+])|(?<numbers>\d{1,9})[.)])(?:[ \t]+(?<task>\[[ xX]\](?:[ \t]+|$))?|$))?/;

interface Structure {
  quote: string;
  indent: string;
  mark: keyof typeof markers | null;
  number: number;
  task: string;
  /** Of all of it, in characters. */
  length: number;
}

/** The marks before the text of a line. */
export const structureOf = (text: string): Structure => {
  const found = structure.exec(text);
  const { quote = '', indent = '', heading, bullets, numbers, task = '' } = found?.groups ?? {};
  const mark = heading ? 'heading' : bullets ? 'bullets' : numbers ? 'numbers' : null;
  return { quote, indent, mark, number: Number(numbers), task, length: found?.[0].length ?? 0 };
};

/** Starts each selected line with a mark instead of another one, or removes it from all lines. */
export const toggleLines =
  (mark: LineMark): StateCommand =>
  ({ state, dispatch }) => {
    if (isInCodeBlock(state, state.selection.main.head)) return true;
    const lines = selectedLines(state);
    const [first, last] = [lines[0], lines.at(-1)];
    if (!first || !last) return true;
    const written = lines.filter(({ text }) => first === last || text.trim() !== '');
    const isOn = written.every(({ text }) => hasMark(text, mark));
    const changes =
      mark === 'quote' ? changeQuote(lines, isOn) : changeMarks(state, written, mark, isOn);
    if (mark !== 'heading') changes.push(...separate(state, first, last, isOn));
    const set = state.changes(changes);
    // The cursor comes after the mark, where the text is.
    const selection = state.selection.map(set, 1);
    dispatch(state.update({ changes: set, selection, userEvent: 'input', scrollIntoView: true }));
    return true;
  };

const hasMark = (text: string, mark: LineMark): boolean => {
  const { quote, mark: current } = structureOf(text);
  return mark === 'quote' ? quote !== '' : current === mark;
};

/** Without a last line of which only the start is selected. */
const selectedLines = ({ doc, selection: { main } }: EditorState): Line[] => {
  const first = doc.lineAt(main.from).number;
  const end = doc.lineAt(main.to);
  const last = end.number > first && main.to === end.from ? end.number - 1 : end.number;
  return Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
};

/** Includes blank lines, which would otherwise end the quote. */
const changeQuote = (lines: readonly Line[], isOn: boolean): ChangeSpec[] =>
  lines.map(({ from, text }) => {
    const [old = ''] = (isOn && /^[ \t]*>[ \t]?/.exec(text)) || [];
    return { from, to: from + old.length, insert: isOn ? '' : '> ' };
  });

const changeMarks = (
  { doc }: EditorState,
  lines: readonly Line[],
  mark: keyof typeof markers,
  isOn: boolean,
): ChangeSpec[] => {
  const before = lines[0] && lines[0].number > 1 ? doc.line(lines[0].number - 1) : null;
  const previous = before && structureOf(before.text);
  const count = previous?.mark === 'numbers' ? previous.number : 0;
  return lines.map(({ from, text }, index) => {
    const { quote, indent, mark: old, task, length } = structureOf(text);
    const isItem = !isOn && mark !== 'heading';
    const wasItem = old === 'bullets' || old === 'numbers';
    // Only items of a list are indented.
    const start = from + quote.length + (wasItem && !isItem ? 0 : indent.length);
    const insert = isOn ? '' : markers[mark](count + index + 1) + (isItem ? task : '');
    return { from: start, to: from + length, insert };
  });
};

/** Adds blank lines, because a line after a list or a quote would belong to it. */
const separate = ({ doc }: EditorState, first: Line, last: Line, isOn: boolean): ChangeSpec[] => {
  const before = first.number > 1 ? doc.line(first.number - 1) : null;
  const after = last.number < doc.lines ? doc.line(last.number + 1) : null;
  const isPlain = ({ text }: Line) => structureOf(text).length === 0;
  const needsBlank = (line: Line | null): line is Line =>
    line !== null && line.text.trim() !== '' && isPlain(line) !== isOn;
  return [
    ...(isOn && needsBlank(before) ? [{ from: before.to, insert: '\n' }] : []),
    ...(needsBlank(after) ? [{ from: after.from, insert: '\n' }] : []),
  ];
};

import type { EditorState, SelectionRange, StateCommand, TransactionSpec } from '@codemirror/state';
import { addFences, backticksAround, isInCodeBlock, removeFences } from './code-block.ts';
import { type Marked, markedAround, markedIn, nodeAround, type Range } from './inline-syntax.ts';
import { structureOf } from './line-marks.ts';
import { addedBy, undoOf } from './mark-undo.ts';

const characters = { bold: '**', italic: '*', strikethrough: '~~', code: '`' } as const;

export type InlineMark = keyof typeof characters;

export const inlineMarks = Object.keys(characters) as InlineMark[];

/**
 * Marks the selected text or the word at the cursor, or removes the mark. At the end of marked
 * text, moves the cursor behind it. Pressed again before anything else happens, it undoes itself.
 */
export const toggleMark =
  (mark: InlineMark): StateCommand =>
  ({ state, dispatch }) => {
    const { main } = state.selection;
    const spec = undoOf(state, mark) ?? (main.empty ? atCursor : inSelection)(state, mark, main);
    if (spec) dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };

const atCursor = (
  state: EditorState,
  mark: InlineMark,
  { head }: SelectionRange,
): TransactionSpec | null => {
  if (isInCodeBlock(state, head)) return mark === 'code' ? removeFences(state, head) : null;
  const all = markedAround(state, head);
  const marked = all.filter(({ kind }) => kind === mark);
  const around = marked.find(({ content }) => isIn(head, content));
  if (around) return leaveOrRemove(state, around, head);
  for (const { content } of marked) {
    if (head > content.to && isOnlyMarks(state.sliceDoc(content.to, head))) {
      return cursorAt(content.to);
    }
    if (head < content.from && isOnlyMarks(state.sliceDoc(head, content.from))) {
      return cursorAt(content.from);
    }
  }
  const code = all.find(({ kind, content }) => kind === 'code' && isIn(head, content));
  const { from, to } = code ?? state.wordAt(head) ?? { from: head, to: head };
  const characters = charactersFor(mark, state.sliceDoc(from, to));
  return {
    changes: [
      { from, insert: characters },
      { from: to, insert: characters },
    ],
    ...cursorAt(head + characters.length),
    annotations: addedBy.of(mark),
  };
};

const leaveOrRemove = (state: EditorState, marked: Marked, head: number): TransactionSpec => {
  const { to, content } = marked;
  const before = state.sliceDoc(content.from, head);
  const after = state.sliceDoc(head, content.to);
  const isAtEnd = isOnlyMarks(after) && !isOnlyMarks(before);
  if (!isAtEnd) return { changes: unmark(marked) };
  const closing = state.sliceDoc(content.to, to);
  const end = head + closing.length;
  // Other marks can end here, too. Their order does not matter.
  if (state.sliceDoc(head, end) !== closing) return cursorAt(to);
  // Markdown ignores marks after a space.
  const spaces = before.slice(before.trimEnd().length);
  if (spaces === '') return cursorAt(end);
  const changes = { from: head - spaces.length, to: end, insert: closing + spaces };
  return { changes, ...cursorAt(end) };
};

const inSelection = (
  state: EditorState,
  mark: InlineMark,
  selection: SelectionRange,
): TransactionSpec | null => {
  if (mark === 'code') {
    if (isInCodeBlock(state, selection.head)) return removeFences(state, selection.head);
    const isSeveralLines = state.sliceDoc(selection.from, selection.to).trim().includes('\n');
    if (isSeveralLines) return addFences(state, trimmed(state, selection));
  }
  const parts = partsOf(state, selection);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return null;
  const all = markedIn(state, { from: first.from, to: last.to });
  const same = all.filter(({ kind }) => kind === mark);
  const isMarked = parts.every((part) => same.some((marked) => contains(marked, part)));
  const changes = state.changes(
    isMarked
      ? same.flatMap((marked) => unmarkPart(state, mark, marked, first.from, last.to))
      : [
          ...same.flatMap(unmark),
          ...merge(parts.map((part) => extend(part, all, mark))).flatMap(({ from, to }) => {
            const insert = charactersFor(mark, state.sliceDoc(from, to));
            return [
              { from, insert },
              { from: to, insert },
            ];
          }),
        ],
  );
  const [from, to] = [changes.mapPos(selection.from, 1), changes.mapPos(selection.to, -1)];
  const isForward = selection.anchor === selection.from;
  return {
    changes,
    selection: isForward ? { anchor: from, head: Math.max(from, to) } : { anchor: to, head: from },
    ...(!isMarked && { annotations: addedBy.of(mark) }),
  };
};

/** Whether `toggleMark` would remove the mark or leave the marked text. */
export const isMarkedAt = (state: EditorState, around: readonly Marked[], mark: InlineMark) => {
  const { main } = state.selection;
  return around.some(
    ({ kind, from, to, content }) =>
      kind === mark && (main.empty ? isIn(main.head, content) : contains({ from, to }, main)),
  );
};

/** The selected text of each line or table cell, because marks cannot span several. */
const partsOf = (state: EditorState, { from, to }: Range): Range[] => {
  const parts: Range[] = [];
  for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1) {
    const line = state.doc.lineAt(at);
    if (isInCodeBlock(state, line.from)) continue;
    const start = line.from + structureOf(line.text).length;
    const isRow = nodeAround(state, line.from, 'Table') !== null;
    if (isRow && /^[\s|:-]*$/.test(line.text)) continue;
    const text = line.text.slice(start - line.from);
    for (const { index, 0: cell } of text.matchAll(isRow ? /(?:\\.|[^\\|])+/g : /.+/g)) {
      const part = trimmed(state, {
        from: Math.max(from, start + index),
        to: Math.min(to, start + index + cell.length),
      });
      if (part.from < part.to) parts.push(part);
    }
  }
  return parts;
};

/** Extends a part, so that its marks neither overlap other marks nor are in code or a URL. */
const extend = (part: Range, all: readonly Marked[], mark: InlineMark): Range => {
  const isFine = ({ kind, from, to, content }: Marked, { from: start, to: end }: Range) => {
    if (kind === mark) return end < from || start > to || (start <= from && to <= end);
    const isOutside = end <= from || start >= to || (start <= from && to <= end);
    return isOutside || (kind !== 'code' && content.from <= start && end <= content.to);
  };
  let range = part;
  for (let found = all.find((marked) => !isFine(marked, range)); found; ) {
    range = { from: Math.min(range.from, found.from), to: Math.max(range.to, found.to) };
    found = all.find((marked) => !isFine(marked, range));
  }
  return range;
};

const merge = (ranges: readonly Range[]): Range[] => {
  const merged: Range[] = [];
  for (const { from, to } of ranges) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
};

const unmark = ({ from, to, content }: Pick<Marked, 'from' | 'to' | 'content'>) => [
  { from, to: content.from },
  { from: content.to, to },
];

/** Removes the mark from a part of marked text. The rest stays marked. */
const unmarkPart = (
  state: EditorState,
  mark: InlineMark,
  { from, to, content }: Marked,
  start: number,
  end: number,
) => {
  const before = trimmed(state, { from: content.from, to: Math.max(start, content.from) });
  const after = trimmed(state, { from: Math.min(end, content.to), to: content.to });
  return [
    before.from < before.to
      ? { from: before.to, insert: characters[mark] }
      : { from, to: content.from },
    after.from < after.to
      ? { from: after.from, insert: characters[mark] }
      : { from: content.to, to },
  ];
};

const charactersFor = (mark: InlineMark, text: string): string =>
  mark === 'code' ? backticksAround(text, 1) : characters[mark];

const trimmed = (state: EditorState, { from, to }: Range): Range => {
  if (from >= to) return { from, to: from };
  const text = state.sliceDoc(from, to);
  const start = from + text.length - text.trimStart().length;
  return { from: start, to: Math.max(start, from + text.trimEnd().length) };
};

const isOnlyMarks = (text: string): boolean => /^[*_~`\s]*$/.test(text);

const isIn = (at: number, { from, to }: Range): boolean => from <= at && at <= to;

const contains = (outer: Range, inner: Range): boolean =>
  outer.from <= inner.from && inner.to <= outer.to;

const cursorAt = (anchor: number) => ({ selection: { anchor } });

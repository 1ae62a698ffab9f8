import type { EditorState, TransactionSpec } from '@codemirror/state';
import { nodeAround, type Range } from './inline-syntax.ts';

export const isInCodeBlock = (state: EditorState, at: number): boolean =>
  nodeAround(state, at, 'FencedCode') !== null;

/** Removes the fences of the code block at the cursor. */
export const removeFences = (state: EditorState, at: number): TransactionSpec => {
  const block = nodeAround(state, at, 'FencedCode');
  if (!block) return {};
  const first = state.doc.lineAt(block.from);
  const last = state.doc.lineAt(block.to);
  const isClosed = last.number > first.number && /^\s*(?:`{3,}|~{3,})\s*$/.test(last.text);
  return {
    changes: [
      { from: first.from, to: Math.min(first.to + 1, state.doc.length) },
      ...(isClosed ? [{ from: Math.max(last.from - 1, first.to + 1), to: last.to }] : []),
    ],
  };
};

/** Makes a code block of all selected lines. */
export const addFences = (state: EditorState, { from, to }: Range): TransactionSpec => {
  const first = state.doc.lineAt(from);
  const last = state.doc.lineAt(to);
  const fence = backticksAround(state.sliceDoc(first.from, last.to), 3);
  const changes = state.changes([
    { from: first.from, insert: `${fence}\n` },
    { from: last.to, insert: `\n${fence}` },
  ]);
  const selection = { anchor: changes.mapPos(from, 1), head: changes.mapPos(to, -1) };
  return { changes, selection };
};

/** More backticks than the code has in a row. */
export const backticksAround = (code: string, min: number): string => {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(longest < min ? min : longest + 1);
};

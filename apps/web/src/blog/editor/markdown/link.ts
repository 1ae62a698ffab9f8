import type { EditorState, StateCommand, TransactionSpec } from '@codemirror/state';
import { isInCodeBlock } from './code-block.ts';
import { nodeAround } from './inline-syntax.ts';
import { addedBy, undoOf } from './mark-undo.ts';

const url = /^(?:https?:\/\/|mailto:|tel:|\/)\S+$/;
const command = 'link';
const placeholder = 'https://';

/**
 * Makes a link of the selected text or the word at the cursor. What is typed next goes where its
 * text or URL is missing. In a link, selects the URL, and in a URL, moves the cursor behind the
 * link.
 */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  if (isInCodeBlock(state, state.selection.main.head)) return true;
  const spec = undoOf(state, command) ?? inLink(state) ?? newLink(state);
  dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }));
  return true;
};

const inLink = (state: EditorState): TransactionSpec | null => {
  const { head, from, to } = state.selection.main;
  const link = nodeAround(state, head, 'Link');
  const target = link?.getChild('URL');
  if (!link || !target || head <= link.from || head >= link.to) return null;
  const isInUrl = from >= target.from && to <= target.to;
  return {
    selection: isInUrl ? { anchor: link.to } : { anchor: target.from, head: target.to },
  };
};

const newLink = (state: EditorState): TransactionSpec => {
  const { main } = state.selection;
  const { from, to } = (main.empty && state.wordAt(main.head)) || firstLine(state);
  const text = state.sliceDoc(from, to);
  const isUrl = url.test(text);
  const insert = isUrl ? `[](${text})` : `[${text}](${placeholder})`;
  const urlStart = from + text.length + 3;
  const selection = isUrl
    ? { anchor: from + 1 }
    : main.empty
      ? { anchor: main.head + 1 }
      : { anchor: urlStart, head: urlStart + placeholder.length };
  return { changes: { from, to, insert }, selection, annotations: addedBy.of(command) };
};

/** The selected text of the first line, because a link cannot span paragraphs. */
const firstLine = (state: EditorState) => {
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to);
  const start = from + text.length - text.trimStart().length;
  const [line = ''] = text.trim().split('\n');
  return { from: Math.min(start, to), to: Math.min(start, to) + line.trimEnd().length };
};

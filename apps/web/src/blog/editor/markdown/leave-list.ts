import type { StateCommand } from '@codemirror/state';
import { structureOf } from './line-marks.ts';

/**
 * Enter in an empty item ends the list with a blank line. Without it, as CodeMirror does this, the
 * next text would belong to the item before.
 */
export const leaveList: StateCommand = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  const { quote, indent, mark, length } = structureOf(line.text);
  const isItem = mark === 'bullets' || mark === 'numbers';
  const isEmptyItem = isItem && indent === '' && line.text.slice(length).trim() === '';
  if (!empty || head !== line.to || !isEmptyItem || line.number === 1) return false;
  const previous = state.doc.line(line.number - 1).text;
  if (previous.slice(quote.length).trim() === '') return false;
  const insert = `${quote.trimEnd()}\n${quote}`;
  const changes = { from: line.from, to: line.to, insert };
  const selection = { anchor: line.from + insert.length };
  dispatch(state.update({ changes, selection, userEvent: 'input', scrollIntoView: true }));
  return true;
};

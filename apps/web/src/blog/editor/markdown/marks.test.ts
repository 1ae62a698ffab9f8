import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { toggleMark } from './marks.ts';

/** Toggles a mark with the cursor at the first word. */
function toggled(text: string, mark: string): string {
  const anchor = text.search(/\w/);
  let state = EditorState.create({ doc: text, selection: { anchor } });
  toggleMark(mark)({ state, dispatch: (transaction) => (state = transaction.state) });
  return state.doc.toString();
}

test.each([
  ['word', '*', '*word*'],
  ['*word*', '*', 'word'],
  ['**word**', '*', '***word***'],
  ['***word***', '*', '**word**'],
  ['word', '**', '**word**'],
  ['*word*', '**', '***word***'],
  ['**word**', '**', 'word'],
  ['***word***', '**', '*word*'],
  ['***word* 1**', '*', '**word 1**'],
  ['`word`', '`', 'word'],
])('in %s, toggling %s results in %s', (text, mark, expected) => {
  expect(toggled(text, mark)).toBe(expected);
});

import { EditorState, type StateCommand, type TransactionSpec } from '@codemirror/state';
import { lastAdded } from './mark-undo.ts';
import { markdownSyntax } from './markdown-syntax.ts';

/** For tests. @param text with `¦` at the cursor, and `<` where a selection begins */
export const stateOf = (text: string): EditorState => {
  const doc = text.replace('<', '').replace('¦', '');
  const head = text.replace('<', '').indexOf('¦');
  const start = text.indexOf('<');
  const anchor = start === -1 ? head : start - (text.indexOf('¦') < start ? 1 : 0);
  const extensions = [markdownSyntax, lastAdded];
  return EditorState.create({ doc, selection: { anchor, head }, extensions });
};

/** The inverse of `stateOf`. */
export const textOf = ({ doc, selection }: EditorState): string => {
  const { from, to, anchor, head, empty } = selection.main;
  const [start, end] = empty ? ['', '¦'] : anchor < head ? ['<', '¦'] : ['¦', '<'];
  return doc.sliceString(0, from) + start + doc.sliceString(from, to) + end + doc.sliceString(to);
};

export const run = (state: EditorState, ...commands: StateCommand[]): EditorState => {
  let now = state;
  for (const command of commands) {
    command({ state: now, dispatch: (transaction) => (now = transaction.state) });
  }
  return now;
};

export const type =
  (text: string): StateCommand =>
  ({ state, dispatch }) => {
    dispatch(state.update(state.replaceSelection(text)));
    return true;
  };

export const apply = (state: EditorState, spec: TransactionSpec): string =>
  textOf(state.update(spec).state);

import { Annotation, type EditorState, StateField, type TransactionSpec } from '@codemirror/state';

/** The command that added a mark, which the same command undoes if nothing happened meanwhile. */
export const addedBy = Annotation.define<string>();

interface Added {
  command: string;
  undo: TransactionSpec;
}

export const lastAdded = StateField.define<Added | null>({
  create: () => null,
  update(last, transaction) {
    const { changes, startState, docChanged, selection } = transaction;
    const command = transaction.annotation(addedBy);
    if (command !== undefined) {
      const undo = { changes: changes.invert(startState.doc), selection: startState.selection };
      return { command, undo };
    }
    return docChanged || selection ? null : last;
  },
});

export const undoOf = (state: EditorState, command: string): TransactionSpec | null => {
  const last = state.field(lastAdded);
  return last?.command === command ? last.undo : null;
};

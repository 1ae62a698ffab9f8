/** What screen readers say about parts of a post's body. */
export const postBody = {
  table: 'Table',
  code: 'Code',
  /** Names of the boxes in a task list. */
  done: 'Done',
  toDo: 'To do',
  footnotes: 'Footnotes',
  footnote: (number: number) => `Footnote ${number}`,
  backToText: (number: number) => `Back to the text of footnote ${number}`,
} as const;

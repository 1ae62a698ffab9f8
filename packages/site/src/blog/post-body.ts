/** Labels of parts of a post's body, for screen readers. */
export const postBody = {
  table: 'Table',
  code: 'Code',
  // Checkboxes of a task list.
  done: 'Done',
  toDo: 'To do',
  footnotes: 'Footnotes',
  footnote: (number: number) => `Footnote ${number}`,
  backToText: (number: number) => `Back to the text of footnote ${number}`,
} as const;

/** /blog/trash */
export const trash = {
  description: 'Deleted posts that can be restored.',
  intro: (days: number) => `Deleted posts can be restored for ${days} days.`,
  empty: { title: 'The trash is empty', text: 'Deleted posts appear here.' },
  /** @param date such as March 1, 2026 */
  deletedBy: (writer: string, date: string) => `Deleted by ${writer} on ${date}`,
  you: 'you',
  someone: 'another writer',
  restorableUntil: (date: string) => `Can be restored until ${date}`,
  published: 'Published',
  restore: 'Restore',
  erase: 'Delete forever',
  erasure: {
    heading: ['Delete “', '” forever?'],
    text: 'Its text will be lost. This cannot be undone.',
    cancel: 'Keep it',
    submit: 'Delete forever',
  },
  isBack: (title: string) => `“${title}” is back`,
  isPublished: 'It is published, as it was.',
  isDraft: 'It is a draft, as it was.',
  open: 'Open the post',
  erased: 'The post was deleted forever.',
  eraseFailed: 'The post was not deleted.',
  older: 'Deleted earlier',
} as const;

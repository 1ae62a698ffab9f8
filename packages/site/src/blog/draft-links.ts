/** Links to drafts: the section of the editor, and the note above a shared draft. */
export const draftLinkTexts = {
  heading: 'Share the draft',
  text: 'Anyone with a link can read the draft without an account. Unsaved changes are not shown.',
  shows: {
    label: 'Shows',
    following: 'The draft, with later changes',
    pinned: 'Only what is saved now',
  },
  lifetime: { label: 'Works for', of: (days: number) => (days === 1 ? '1 day' : `${days} days`) },
  create: 'Create link',
  created: {
    title: 'The link is ready',
    text: 'Copy it now: it is not shown again.',
    label: 'Link',
    copy: 'Copy',
  },
  failed: {
    title: 'The links could not be changed',
    text: (max: number) =>
      `A draft can have at most ${max} links, and published posts have none. Reload the page to see the current ones.`,
  },
  list: 'Active links',
  following: 'The draft, with later changes',
  /** Before the time. */
  pinned: 'The version of ',
  /** Before the time. */
  createdBy: (name: string) => `Created by ${name}, `,
  expires: '· expires ',
  revoke: 'Revoke',
  /** Above a shared draft. */
  banner: {
    title: 'This is a draft',
    following: 'It was shared with you, and may still change.',
    /** Around the time. */
    pinned: ['It was shared with you as it was on ', '.'],
    /** Around the time. */
    expires: ['The link works until ', '.'],
  },
} as const;

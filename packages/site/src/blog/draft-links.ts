/** Links to drafts: the editor's section, and the notice above a shared draft. */
export const draftLinkTexts = {
  heading: 'Share the draft',
  text: 'Anyone with a link can read the draft without an account. Unsaved changes are not shown.',
  /** For a post that was published while it had links. */
  published: {
    heading: 'Links to the draft',
    text: 'Links to the draft now lead to the post. A link to a saved version still shows that version until it expires or is revoked.',
  },
  shows: {
    label: 'Shows',
    following: 'The draft, with later changes',
    pinned: 'Only what is saved now',
  },
  lifetime: { label: 'Works for', of: (days: number) => (days === 1 ? '1 day' : `${days} days`) },
  create: 'Create link',
  created: {
    title: 'The link is ready',
    text: 'Copy it now. It will not be shown again.',
    label: 'Link',
    copy: 'Copy',
  },
  list: 'Active links',
  following: 'The draft, with later changes',
  /** Followed by the time. */
  pinned: 'The version of ',
  /** Followed by the time. */
  createdBy: (name: string) => `Created by ${name}, `,
  expires: '· expires ',
  revoke: 'Revoke',
  /** Above a shared draft. */
  banner: {
    title: 'This is a draft',
    following: 'It was shared with you, and may still change.',
    /** Text before and after the time. */
    pinned: ['It was shared with you as it was on ', '.'],
    /** Text before and after the time. */
    expires: ['The link works until ', '.'],
  },
} as const;

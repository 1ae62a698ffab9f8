/** The editor's page: unsaved text, and conflicting saves. */
export const unsaved = {
  /** Text before and after the time. */
  offer: ['You have unsaved changes from ', '.'],
  /** For a new post; text before and after the time. */
  offerNew: (title: string) => [
    title ? `You have an unsaved post, “${title}”, from ` : 'You have an unsaved post from ',
    '.',
  ],
  onDevice: 'On this device only.',
  notDiscarded: 'The changes could not be discarded.',
  notRestored: 'The changes could not be restored.',
  restore: 'Restore',
  discard: 'Discard',
  restored: 'Your unsaved changes are in the form below. Save to keep them.',
  /** Where the text of the form is stored. */
  status: {
    saved: 'Saved',
    typing: 'Saving your changes…',
    server: 'Saved, not published',
    finish: 'Press Save when you are done.',
    device: 'On this device only',
    /** The browser has no storage, or its storage is full. */
    page: 'In this window only',
    noStorage: 'This browser cannot store it. Keep this page open.',
    offline: 'You are offline. Unsaved changes are stored on the server when you are back online.',
    unreachable:
      'The server cannot be reached. Unsaved changes are stored there when it can be reached again.',
    signedOut: 'You are signed out.',
    newerText: 'Restore or discard your other unsaved changes first.',
  },
  signOut:
    'Text that you typed is on this device only, and logging out deletes it. Log out anyway?',
  conflict: {
    heading: 'Choose which changes to keep',
    /** Text before and after the time. */
    text: (name: string) => [
      `${name} saved this post on `,
      ', and you both changed the same text.',
    ],
    ownText: ['You saved this post on another device or in another tab on ', ', with other text.'],
    othersBelow: 'All other changes by both of you are in the form below.',
    ownOthersBelow: 'All your other changes are in the form below.',
    parts: {
      title: 'Title',
      slug: 'URL slug',
      excerpt: 'Excerpt',
      coverImage: 'Cover image URL',
      content: (number: number) => `Content, part ${number}`,
    },
    yours: 'Yours',
    theirs: (name: string) => `By ${name}`,
    // For conflicts with the user's own save on another device or in another tab.
    here: 'From this page',
    elsewhere: 'From the other device or tab',
    both: 'Both, one after the other',
    /** Stands for an empty field or deleted lines. */
    nothing: 'Nothing',
    submit: 'Use these',
    hint: 'Until you choose, the form has your text.',
  },
} as const;

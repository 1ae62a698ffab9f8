/** /blog/editor/{slug}/history */
export const history = {
  title: 'History',
  pageTitle: (post: string) => `History: ${post}`,
  description: 'Earlier versions of a post.',
  link: 'History',
  back: 'Back to the editor',
  intro:
    'Each save adds a version. All versions of the last day are kept, then the last one of each day. Named versions are kept forever.',
  empty: {
    title: 'No versions yet',
    text: 'The next save of this post adds the first one.',
  },
  list: 'Versions',
  current: 'Current',
  you: 'You',
  /** Distinguishes versions saved in the same minute. */
  version: (number: number) => `Version ${number.toLocaleString('en-US')}`,
  older: 'Older versions',
  newest: 'Newest versions',
  changed: {
    created: 'Created',
    /** Earlier versions are no longer stored. */
    oldest: 'Oldest stored version',
    /** A save of the same texts. */
    nothing: 'Same text',
    published: 'Published',
    unpublished: 'Unpublished',
    scheduled: 'Scheduled',
    unscheduled: 'Unscheduled',
    parts: {
      title: 'Title',
      slug: 'URL slug',
      excerpt: 'Excerpt',
      coverImage: 'Cover image',
      tags: 'Tags',
      content: 'Content',
    },
  },
  comparison: {
    label: 'Compare with',
    before: 'Changes in this version',
    current: 'Changes since this version',
    /** Above texts whose removed and added words are marked. */
    legend: ['Words that were ', 'removed', ' and ', 'added', ' are marked.'],
    first: 'There is no earlier version to compare with. This is its text.',
    same: 'The texts are the same.',
    busy: 'Too many versions are being compared right now. Please try again in a moment.',
    /** Read by screen readers before and after a change. */
    removed: '[removed: ',
    added: '[added: ',
    end: ']',
    unchanged: (lines: number) => `${lines.toLocaleString('en-US')} unchanged lines`,
    state: (published: boolean) => (published ? 'Published' : 'Draft'),
    status: 'Status',
  },
  name: {
    label: 'Name of this version',
    hint: 'A named version is never deleted. Leave this empty to remove the name.',
    submit: 'Save name',
  },
  restore: {
    submit: 'Restore this version',
    hint: 'Saves its texts as a new version. The URL and the publish status do not change.',
  },
  restored: 'This version was restored',
  openPost: 'Open the post',
  named: 'The name was saved',
  unrestored: 'The version was not restored.',
  unnamed: 'The name was not saved.',
  conflict: {
    title: 'Nothing was restored',
    description:
      'This post was saved again in the meantime. Look at the newest version, then restore this one again.',
  },
} as const;

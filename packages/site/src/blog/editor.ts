/** The form of /blog/editor. Texts quoted in the spec are verbatim. */
export const editor = {
  editing: (state: 'published' | 'draft' | 'scheduled') => `You are editing a ${state} post.`,
  title: 'Title',
  slug: 'URL Slug',
  slugHint: 'If left empty, it is created from the title.',
  movedSlugHint: 'The old URL will redirect to the new one.',
  slugFree: 'This URL is free.',
  cover: 'Cover Image URL',
  excerpt: 'Excerpt',
  excerptHint: (length: number) =>
    `If left empty, the first ${length} characters of the content are used.`,
  tags: 'Tags',
  tagsHint: (max: number) => `At most ${max}, separated by commas: heat pumps, winter`,
  content: 'Content',
  tabs: { edit: 'Edit', preview: 'Preview' },
  /** Needed because the Tab key indents. */
  leaveHint: 'To leave the text with the keyboard, press Escape, then Tab.',
  length: (words: number, minutes: number) =>
    words === 0
      ? 'No words yet'
      : `${words.toLocaleString('en-US')} ${words === 1 ? 'word' : 'words'} · ${minutes} min read`,
  tools: {
    label: 'Formatting',
    heading: 'Heading',
    bold: 'Bold (Ctrl+B)',
    italic: 'Italic (Ctrl+I)',
    strikethrough: 'Strikethrough (Ctrl+Shift+X)',
    link: 'Link (Ctrl+K)',
    bullets: 'Bulleted list',
    numbers: 'Numbered list',
    quote: 'Quote',
    code: 'Code',
    table: 'Insert or align a table',
    find: 'Find and replace (Ctrl+F)',
  },
  /** Labels of the search panel, keyed by CodeMirror's default phrases. */
  phrases: {
    next: 'Next',
    previous: 'Previous',
    all: 'Select all',
    'match case': 'Match case',
    regexp: 'Pattern',
    'by word': 'Whole words',
    replace: 'Replace',
    'replace all': 'Replace all',
    close: 'Close',
  },
  preview: {
    heading: 'Preview',
    /** For screen readers. */
    title: 'Preview of the page',
    phone: 'Phone',
    dark: 'Dark',
    unreachable: 'The preview cannot be updated. Your text is still here.',
  },
  /** @param names null for writers without a name */
  others: (names: readonly (string | null)[]) => {
    const named = names.filter((name) => name !== null);
    const nameless = names.length - named.length;
    const [one, many] =
      named.length > 0 ? ['1 other', 'others'] : ['Another writer', 'other writers'];
    const rest = nameless > 1 ? `${nameless} ${many}` : one;
    const all = nameless > 0 ? [...named, rest] : named;
    const who = new Intl.ListFormat('en-US').format(all);
    return `${who} also ${names.length === 1 ? 'has' : 'have'} this post open.`;
  },
  published: 'Published',
  publishAt: 'Publish at',
  submit: 'Save',
  /** The post was deleted or unpublished while it was being edited. */
  gone: {
    title: 'This post was deleted or unpublished',
    description: 'Your text is in the form. Save it with another URL slug to make it a new post.',
  },
} as const;

/** The pictures of posts: in the editor, and on /blog/pictures. */
export const pictureTexts = {
  /** Of the button in the editor's toolbar. */
  tool: 'Picture',
  description: 'The pictures of your posts, and where they are used.',
  intro:
    'Pictures for your posts. One that no post, version or unsaved text has used for 30 days is deleted.',
  /** For the text and for the cover. */
  insert: 'Add a picture',
  chooseCover: 'Choose a cover',
  openCover: 'Choose a picture',
  library: 'Your pictures',
  /** In a new tab. */
  manage: 'Manage pictures',
  upload: 'Upload',
  files: 'Pictures from this device',
  fileHint: 'JPEG, PNG, WebP, AVIF or GIF, up to 5 MB.',
  dropHint: 'JPEG, PNG, WebP, AVIF or GIF, up to 5 MB each. You can also drop them here.',
  pasteHint:
    'JPEG, PNG, WebP, AVIF or GIF, up to 5 MB each. You can also paste or drop them into the text.',
  search: 'Search descriptions',
  submitSearch: 'Search',
  clearSearch: 'Show all',
  more: 'Show more',
  loading: 'Loading your pictures...',
  empty: { title: 'No pictures yet', text: 'The pictures that you upload appear here.' },
  noMatch: (query: string) => `No pictures match “${query}”.`,
  noMatchText: 'The search looks at descriptions only.',
  /** The name of a picture without a description. @param date as March 1, 2026 */
  undescribed: (date: string) => `No description, ${date}`,
  /** While files are uploaded. */
  uploads: 'Pictures that you are adding',
  waiting: 'Waiting',
  /** @param share from 0 to 1 */
  sent: (share: number) => `${Math.round(share * 100)}% sent`,
  processing: 'Sent. The server makes smaller copies.',
  progress: (file: string) => `Upload of ${file}`,
  cancel: 'Cancel',
  cancelOf: (file: string) => `Cancel ${file}`,
  retry: 'Try again',
  retryOf: (file: string) => `Try again: ${file}`,
  remove: 'Dismiss',
  removeOf: (file: string) => `Dismiss ${file}`,
  /** In the text, where the picture will be. */
  placeholder: (file: string) => `Uploading ${file}…`,
  alt: 'Description',
  altHint: 'Says what the picture shows to people who cannot see it.',
  altEmpty: 'Empty: screen readers skip the picture, as decoration.',
  caption: 'Caption',
  done: 'Done',
  doneOf: (picture: string) => `Done with ${picture}`,
  decoration: 'Decoration, without a description',
  edit: 'Edit description',
  details: (width: number, height: number, date: string) =>
    `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')} px · ${date}`,
  usedIn: 'Used in',
  unused: 'Not used',
  oldVersion: '(an earlier version)',
  inTrash: (title: string) => `“${title}”, in the trash`,
  inUnsaved: (title: string) => `Unsaved text${title.trim() === '' ? '' : ` of “${title}”`}`,
  hidden: 'Another writer’s draft',
  markdown: 'Markdown',
  copy: 'Copy Markdown',
  copied: 'Markdown copied',
  delete: 'Delete',
  deleting: 'Deleting...',
  deletion: {
    heading: 'Delete this picture?',
    text: 'No post uses it. This cannot be undone.',
    cancel: 'Keep it',
    submit: 'Delete picture',
  },
  older: 'Older pictures',
  newest: 'Newest pictures',
  failed: {
    title: 'That did not work',
    description: 'The picture may be deleted already, or your account has reached a limit.',
  },
  altTooLong: 'The description is too long.',
  loadFailed: 'The picture tools could not be loaded. Check your connection.',
  stillUploading: 'Pictures are still being uploaded. Wait until they are done, or cancel them.',
  /** For screen readers. */
  says: {
    started: (files: number) =>
      files === 1 ? 'Uploading 1 picture' : `Uploading ${files} pictures`,
    stored: (file: string) => `${file} is uploaded. Describe it.`,
    inserted: (file: string) => `${file} is in the text. Describe it.`,
    isCover: 'The picture is the cover.',
    failed: (file: string, reason: string) => `${file} was not uploaded. ${reason}`,
    canceled: (file: string) => `${file} is canceled`,
  },
} as const;

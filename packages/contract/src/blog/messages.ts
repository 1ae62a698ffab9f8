import { limits } from '../limits.ts';

/**
 * Separate from `messages`, which every form loads. Texts quoted in the spec (§5, §8) are verbatim.
 */
export const blogMessages = {
  searchFailed: 'The search failed. Please try again.',
  tooManySearches: 'Too many searches were sent from your network. Please wait a minute.',
  created: 'Blog post created',
  updated: 'Blog post updated',
  published: { title: 'Post published', description: 'The post is now visible to everyone' },
  unpublished: { title: 'Post unpublished', description: 'The post has been moved to drafts' },
  deleted: 'Post deleted',
  trash: {
    title: 'Trash',
    undo: 'Undo',
    restored: 'Post restored',
    restoreFailed: 'The post could not be restored.',
  },
  notYours: 'Only the author and the team can change this post',
  savedPublished: 'Your post has been published',
  savedDraft: 'Your draft has been saved',
  /** For a post whose page could not be published yet. */
  savedPending: 'Your post has been saved',
  schedule: {
    /** @param time such as Mar 1, 2027, 9:00 AM */
    scheduledFor: (time: string) => `Scheduled for ${time}`,
    /** Followed by the time. */
    before: 'Scheduled for ',
    unschedule: 'Unschedule',
    unscheduled: { title: 'Post unscheduled', description: 'The post stays a draft' },
    /** Before and after the time. */
    dropped: [
      'It was scheduled for ',
      ', but stays a draft: the person who scheduled it can no longer change this post.',
    ],
    invalid: 'Enter a valid date, time and time zone.',
    past: 'Choose a time in the future.',
    tooFar: 'Choose a time within a year.',
    published: 'This post is already published. To schedule it, unpublish it first.',
  },
  /** The byline of posts whose author has no name, or no account anymore. */
  guestAuthor: 'Guest author',
  nameRequired: {
    title: 'Your name is missing',
    detail:
      'Readers see who wrote a post. Add your full name or a username in your profile (/profile), then publish.',
    link: 'Add your name',
  },
  signInToSave: 'You must be logged in to save a blog post',
  signInToWrite: 'You must be logged in to create or edit blog posts.',
  mayNotWrite: {
    title: 'Your account can read the blog but not write for it.',
    description: 'Posts are written by our team. If you are part of it, ask us for access.',
    link: 'Contact us',
  },
  editConflict: (name: string) =>
    `${name} saved this post in the meantime and changed the same text. Your changes were not saved.`,
  ownEditConflict:
    'In the meantime, you saved this post on another device or in another tab and changed the same text. These changes were not saved.',
  merged: 'Changes that were saved in the meantime were merged with yours.',
  unsaved: {
    notFound: 'There is no unsaved text.',
    otherAccount: 'This text was typed in another account. Sign in to that account to store it.',
    changed: 'Another tab or device has stored newer unsaved text for this post.',
  },
  revisions: {
    notFound: 'This version of the post is no longer stored.',
    tooManyNamed: (max: number, megabytes: number) =>
      `A post can have at most ${max} versions with a name, and ${megabytes} MB of them. Remove a name first.`,
  },
  pictures: {
    title: 'Pictures',
    inUse: 'A post, one of its versions, or unsaved text uses this picture.',
    notFound: 'You have no such picture.',
    deleted: 'Picture deleted',
    deleteFailed: 'The picture could not be deleted.',
    uploadFailed: 'Upload failed',
    listFailed: 'Your pictures could not be loaded.',
    altFailed: 'The description could not be stored with the picture.',
  },
  draftLinks: {
    tooMany: (max: number) => `A draft can have at most ${max} links. Revoke one, then try again.`,
    lifetime: 'Choose 1, 7 or 30 days.',
    published: 'This post is published: share its own URL.',
    notFound: 'This link was revoked, or has expired.',
    tooOften: 'Drafts were opened too often from your network. Please wait a minute.',
    failed: 'The links could not be changed.',
    copied: 'Link copied',
    revoked: 'Link revoked',
  },
  slugTaken: 'Another post has or had this URL slug. Please choose a different one.',
  notFound: 'Blog post not found',
  loadFailed: 'Failed to load blog post',
  editorLoadFailed: 'Error loading blog post',
  noPost: {
    notFound: 'It may have been unpublished, renamed or deleted.',
    failed: 'Something went wrong on our side. Please try again in a moment.',
    tooMany: 'You have opened many long texts at once. Wait a minute, then reload this page.',
    deadLink: {
      heading: 'This link does not work',
      text: 'It has expired, was revoked, or is incomplete. Ask the person who sent it for a new one.',
      link: 'Read our blog',
    },
  },
  listFailed: { title: 'Error loading blog posts', description: 'Please try again later' },
  listNotLoaded: 'The posts could not be loaded. This list may be incomplete.',
  error: 'Error',
  deleteFailed: 'Failed to delete blog post',
  updateFailed: 'Failed to update blog post',
  saveFailed: 'An error occurred while saving',
  switchTakesEffectOnSave: 'Your changes to the publish status will take effect when you save.',
  none: {
    title: 'No blog posts yet',
    published: 'No published blog posts available.',
    drafts: "You haven't created any blog posts yet.",
  },
  drafts: { on: 'Showing drafts', off: 'Published only' },
  draft: 'Draft',
  noImage: 'No image',
  loading: 'Loading...',
  newPost: 'New Post',
  backToBlog: 'Back to Blog',
  edit: 'Edit',
  editCopy: 'Edit a copy',
  publish: 'Publish',
  unpublish: 'Unpublish',
  delete: 'Delete',
  more: 'Older posts',
  tryAgain: 'Try again',
} as const;

export const postFieldMessages = {
  titleRequired: 'Title is required',
  contentRequired: 'Content is required',
  slugRequired: 'URL slug is required',
  slugShape: 'Use lowercase letters, digits, hyphens and underscores only.',
  slugReserved: 'The site itself uses this URL. Please choose another slug.',
  tooManyTags: `Please use at most ${limits.tags} tags.`,
  tagTooLong: `A tag can have at most ${limits.tag} characters. Separate tags with commas.`,
  tagInvalid: 'A tag needs at least one letter or digit.',
} as const;

const upTo = (max: number): string => max.toLocaleString('en-US');

/** Separate from the others, because only the API uses them. */
export const writingMessages = {
  staffOnly: 'Only staff can write here. Ask for the staff role.',
  busy: 'Too many posts are being rendered right now. Please try again in a moment.',
  tooManyPosts: (max: number) =>
    `An account can have at most ${upTo(max)} posts. Posts in the trash count, too. Delete one forever there, then try again.`,
  tooMuchText: (megabytes: number) =>
    `An account can store at most ${upTo(megabytes)} MB of text, including the trash, older versions and unsaved texts. Shorten this text, or delete a post forever in the trash.`,
  publishedTooOften: (max: number, minutes: number) =>
    `An account can publish at most ${upTo(max)} times an hour. Save it as a draft, or try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  tooManySlugs: (max: number) =>
    `A post can have at most ${max} former URL slugs, which redirect to it. Keep this one, or use one of them again.`,
  tooManyDrafts: (max: number, megabytes: number) =>
    `An account can have at most ${max} unsaved texts and ${megabytes} MB of them. Save or discard some. This one is not lost while the page is open.`,
  draftsTooOften: 'Unsaved text is being stored too often. Please try again in a moment.',
  tooManyPictures: (max: number, megabytes: number) =>
    `An account can have at most ${upTo(max)} pictures and ${megabytes} MB of them. Pictures that no post uses are deleted after 30 days. Deleted ones count for another 30 days.`,
  picturesTooOften: 'Too many pictures were uploaded in the last hour. Please try again later.',
} as const;

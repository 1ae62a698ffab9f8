import * as v from 'valibot';
import { named } from '../named.ts';
import { nextCursor, time } from './reply-fields.ts';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

/** The public data of an author. */
export const author = named(
  'Author',
  v.strictObject({
    name: v.pipe(
      v.string(),
      v.description('The byline: the full name, or else the username, or else the company.'),
    ),
    fullName: v.nullable(v.string()),
    avatarUrl: v.nullable(v.string()),
  }),
);
export type Author = v.InferOutput<typeof author>;

const tag = named(
  'Tag',
  v.strictObject({
    slug: v.pipe(v.string(), v.description('The tag’s page is /blog/tag/{slug}.')),
    name: v.pipe(v.string(), v.description('As first written.')),
  }),
);
export type Tag = v.InferOutput<typeof tag>;

const postFields = v.strictObject({
  id: v.string(),
  slug: v.string(),
  title: v.string(),
  excerpt: v.string(),
  content: v.pipe(v.string(), v.description('Markdown.')),
  coverImage: v.nullable(v.string()),
  tags: v.array(tag),
  published: v.boolean(),
  authorId: v.string(),
  author,
  createdAt: time,
  updatedAt: time,
  scheduledAt: v.pipe(
    v.nullable(time),
    v.description('When the draft will be published; null if it is not scheduled.'),
  ),
  droppedSchedule: v.pipe(
    v.nullable(time),
    v.description(
      'For when the draft was scheduled by a user who can no longer change the post. The next save removes it.',
    ),
  ),
  version: v.pipe(
    v.number(),
    v.description('The number of changes; `baseVersion` of the next one.'),
  ),
  isSample: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description('The post ships with the site. It can be copied, but not changed.'),
    ),
  ),
});

export const post = named('Post', postFields);
export type Post = v.InferOutput<typeof post>;

/** A post in a list, without its content, which can be long. */
const postSummary = named('PostSummary', v.omit(postFields, ['content', 'version']));
export type PostSummary = v.InferOutput<typeof postSummary>;

/** Newest first. */
export const postList = v.strictObject({
  posts: v.array(postSummary),
  nextCursor,
});
export type PostList = v.InferOutput<typeof postList>;

const pendingPage = named(
  'PendingPage',
  v.strictObject({
    path: v.string(),
    reason: v.pipe(
      v.string(),
      v.description('Completes a sentence that begins with the path: “could not be rendered”.'),
    ),
  }),
);
export type PendingPage = v.InferOutput<typeof pendingPage>;

const milliseconds = v.pipe(
  v.number(),
  v.description('From the start of the request until readers get the new bytes.'),
);
const pending = v.exactOptional(
  v.pipe(
    v.array(pendingPage),
    v.description('Other pages, such as lists, that will be published as soon as possible.'),
  ),
);

const written = v.pipe(
  v.array(v.string()),
  v.description(
    'Pages that the job published for which this reply waited. Other pages can follow.',
  ),
);
const removed = v.pipe(
  v.array(v.string()),
  v.description('Pages that no longer exist. Old URLs of a renamed post redirect.'),
);

/** The effect of a change on the public site. */
const publishing = named(
  'Publishing',
  v.variant('state', [
    v.pipe(
      v.strictObject({
        state: v.literal('live'),
        path: v.string(),
        hash: v.pipe(v.string(), v.description('SHA-256 (hex) of the bytes that readers get.')),
        milliseconds,
        written,
        removed,
        pending,
      }),
      v.description('Readers get the new page.'),
    ),
    v.pipe(
      v.strictObject({
        state: v.literal('removed'),
        path: v.string(),
        milliseconds,
        written,
        removed,
        pending,
      }),
      v.description('The page no longer exists.'),
    ),
    v.pipe(v.strictObject({ state: v.literal('draft') }), v.description('Nothing public changed.')),
    v.pipe(
      v.strictObject({
        state: v.literal('pending'),
        reason: v.string(),
        pages: v.array(pendingPage),
      }),
      v.description('The post is saved, and will be published as soon as possible.'),
    ),
  ]),
);
export type Publishing = v.InferOutput<typeof publishing>;

/** What readers of a post get right now. */
export const publishingStatus = named(
  'PublishingStatus',
  v.variant('state', [
    v.pipe(
      v.strictObject({
        state: v.literal('live'),
        path: v.string(),
        hash: v.pipe(v.string(), v.description('SHA-256 (hex) of the bytes that readers get.')),
      }),
      v.description('Readers get the stored post, and lists and feeds are up to date.'),
    ),
    v.pipe(
      v.strictObject({ state: v.literal('draft') }),
      v.description('Readers cannot see the post.'),
    ),
    v.pipe(
      v.strictObject({
        state: v.literal('pending'),
        paths: v.pipe(
          v.array(v.string()),
          v.description('They will be updated as soon as possible.'),
        ),
      }),
      v.description('The page, lists or feeds are not up to date yet.'),
    ),
  ]),
);
export type PublishingStatus = v.InferOutput<typeof publishingStatus>;

export const postSaved = v.strictObject({
  post,
  publishing,
  merged: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description('The post had been saved since the baseVersion, and now has both changes.'),
    ),
  ),
});
export type PostSaved = v.InferOutput<typeof postSaved>;

export const postRestored = v.strictObject({ post, publishing });
export type PostRestored = v.InferOutput<typeof postRestored>;

export const postErased = v.strictObject({ erased: v.literal(true) });
export type PostErased = v.InferOutput<typeof postErased>;

export const postDeleted = v.strictObject({ publishing });
export type PostDeleted = v.InferOutput<typeof postDeleted>;

export const slugChecked = v.strictObject({
  state: v.pipe(
    v.picklist(['free', 'taken', 'reserved', 'invalid']),
    v.description('`taken`: another post has or had it. A save rejects all but `free`.'),
  ),
});
export type SlugChecked = v.InferOutput<typeof slugChecked>;
export type SlugState = SlugChecked['state'];

export const postPreviewed = v.strictObject({
  html: v.pipe(v.string(), v.description('The page as readers would see it.')),
});
export type PostPreviewed = v.InferOutput<typeof postPreviewed>;

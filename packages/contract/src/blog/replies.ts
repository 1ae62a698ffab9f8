import * as v from 'valibot';
import { named } from '../named.ts';
import { nextCursor, time } from './reply-fields.ts';

// Apart from the inputs: browsers load those, and of these they use only the types.

/** Public. */
export const author = named(
  'Author',
  v.strictObject({
    name: v.pipe(
      v.string(),
      v.description('The byline: the full name, else the username, else the name of the company.'),
    ),
    fullName: v.nullable(v.string()),
    avatarUrl: v.nullable(v.string()),
  }),
);
export type Author = v.InferOutput<typeof author>;

const tag = named(
  'Tag',
  v.strictObject({
    slug: v.pipe(v.string(), v.description('Of its page, /blog/tag/{slug}.')),
    name: v.pipe(v.string(), v.description('As it was first written.')),
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
    v.description('When the draft is published; null if it is not scheduled.'),
  ),
  version: v.pipe(v.number(), v.description('Counts changes: the `baseVersion` of the next one.')),
  isSample: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description('The post ships with the site: it can be copied, not changed.'),
    ),
  ),
});

export const post = named('Post', postFields);
export type Post = v.InferOutput<typeof post>;

/** A post in a list: without its content, which may be long. */
const postSummary = named('PostSummary', v.omit(postFields, ['content', 'version']));
export type PostSummary = v.InferOutput<typeof postSummary>;

/** A page of posts, newest first. */
export const postList = v.strictObject({
  posts: v.array(postSummary),
  nextCursor,
});
export type PostList = v.InferOutput<typeof postList>;

/** A page that could not be published yet. */
const pendingPage = named(
  'PendingPage',
  v.strictObject({
    path: v.string(),
    reason: v.pipe(
      v.string(),
      v.description('A verb phrase after the path: could not be rendered.'),
    ),
  }),
);
export type PendingPage = v.InferOutput<typeof pendingPage>;

const milliseconds = v.pipe(
  v.number(),
  v.description('From the start of the request to the new bytes.'),
);
const pending = v.exactOptional(
  v.pipe(
    v.array(pendingPage),
    v.description('Other pages, such as lists, that follow as soon as they can.'),
  ),
);

const written = v.pipe(
  v.array(v.string()),
  v.description(
    'Pages whose new bytes readers get, by the job that the reply waited for. Others follow.',
  ),
);
const removed = v.pipe(
  v.array(v.string()),
  v.description('Pages that readers no longer get. Old URLs of a renamed post redirect.'),
);

/** What became of a change on the public site. */
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
      v.description('No reader gets the page any more.'),
    ),
    v.pipe(v.strictObject({ state: v.literal('draft') }), v.description('Nothing public changed.')),
    v.pipe(
      v.strictObject({
        state: v.literal('pending'),
        reason: v.string(),
        pages: v.array(pendingPage),
      }),
      v.description('The post is saved; the site follows as soon as it can.'),
    ),
  ]),
);
export type Publishing = v.InferOutput<typeof publishing>;

/** What readers get of a post right now. */
export const publishingStatus = named(
  'PublishingStatus',
  v.variant('state', [
    v.pipe(
      v.strictObject({
        state: v.literal('live'),
        path: v.string(),
        hash: v.pipe(v.string(), v.description('SHA-256 (hex) of the bytes that readers get.')),
      }),
      v.description('Readers get the post as it is stored; its lists and feeds are up to date.'),
    ),
    v.pipe(
      v.strictObject({ state: v.literal('draft') }),
      v.description('No reader gets the post.'),
    ),
    v.pipe(
      v.strictObject({
        state: v.literal('pending'),
        paths: v.pipe(v.array(v.string()), v.description('They are updated as soon as possible.')),
      }),
      v.description('The page of the post, lists or feeds are not up to date yet.'),
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
      v.description('The post was saved since its baseVersion: it has both changes.'),
    ),
  ),
});
export type PostSaved = v.InferOutput<typeof postSaved>;

export const postRestored = v.strictObject({
  post,
  publishing,
  formerSlug: v.exactOptional(
    v.pipe(
      v.string(),
      v.description('The slug that it had, if another post uses that slug by now.'),
    ),
  ),
});
export type PostRestored = v.InferOutput<typeof postRestored>;

export const postLocked = v.strictObject({ locked: v.boolean() });
export type PostLocked = v.InferOutput<typeof postLocked>;

export const postErased = v.strictObject({ erased: v.literal(true) });
export type PostErased = v.InferOutput<typeof postErased>;

export const postDeleted = v.strictObject({ publishing });
export type PostDeleted = v.InferOutput<typeof postDeleted>;

export const slugChecked = v.strictObject({
  state: v.pipe(
    v.picklist(['free', 'taken', 'redirects', 'reserved', 'invalid']),
    v.description(
      '`redirects`: another post had it, and its redirect would end. A save refuses `taken`, `reserved` and `invalid`.',
    ),
  ),
});
export type SlugChecked = v.InferOutput<typeof slugChecked>;
export type SlugState = SlugChecked['state'];

export const postPreviewed = v.strictObject({
  html: v.pipe(v.string(), v.description('The page that readers would get.')),
});
export type PostPreviewed = v.InferOutput<typeof postPreviewed>;

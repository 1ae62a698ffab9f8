import * as v from 'valibot';
import { named } from '../named.ts';

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

const time = v.pipe(v.string(), v.isoTimestamp());

const postFields = v.strictObject({
  id: v.string(),
  slug: v.string(),
  title: v.string(),
  excerpt: v.string(),
  content: v.pipe(v.string(), v.description('Markdown.')),
  coverImage: v.nullable(v.string()),
  published: v.boolean(),
  authorId: v.string(),
  author,
  createdAt: time,
  updatedAt: time,
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
export const postSummary = named('PostSummary', v.omit(postFields, ['content']));
export type PostSummary = v.InferOutput<typeof postSummary>;

/** A page of posts, newest first. */
export const postList = v.strictObject({
  posts: v.array(postSummary),
  nextCursor: v.pipe(v.nullable(v.string()), v.description('Null on the last page.')),
});
export type PostList = v.InferOutput<typeof postList>;

/** A page that could not be published yet. */
export const pendingPage = named(
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

/** What became of a change on the public site. */
export const publishing = named(
  'Publishing',
  v.variant('state', [
    v.pipe(
      v.strictObject({
        state: v.literal('live'),
        path: v.string(),
        hash: v.pipe(v.string(), v.description('SHA-256 (hex) of the bytes that readers get.')),
        milliseconds,
        pending,
      }),
      v.description('Readers get the new page.'),
    ),
    v.pipe(
      v.strictObject({ state: v.literal('removed'), path: v.string(), milliseconds, pending }),
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

export const postSaved = v.strictObject({ post, publishing });
export type PostSaved = v.InferOutput<typeof postSaved>;

export const postDeleted = v.strictObject({ publishing });
export type PostDeleted = v.InferOutput<typeof postDeleted>;

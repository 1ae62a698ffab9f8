import * as v from 'valibot';
import { named } from '../named.ts';
import { time } from './reply-fields.ts';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

const id = v.pipe(
  v.string(),
  v.description('The id of the post; for a new post, the UUID that the client generated.'),
);
const postId = v.pipe(v.nullable(v.string()), v.description('Null for a new post.'));

export const draft = named(
  'Draft',
  v.strictObject({
    id,
    postId,
    baseVersion: v.pipe(v.nullable(v.number()), v.description('Null for a new post.')),
    fields: v.pipe(
      v.strictObject({
        title: v.string(),
        slug: v.string(),
        excerpt: v.string(),
        coverImage: v.string(),
        tags: v.string(),
        content: v.string(),
        published: v.boolean(),
        scheduledAt: v.exactOptional(v.nullable(time)),
      }),
      v.description('As typed.'),
    ),
    updatedAt: time,
  }),
);
export type Draft = v.InferOutput<typeof draft>;

export const draftList = v.strictObject({
  drafts: v.array(
    named(
      'DraftSummary',
      v.strictObject({
        id,
        postId,
        slug: v.pipe(v.nullable(v.string()), v.description('The slug of the post.')),
        title: v.pipe(v.string(), v.description('As typed.')),
        updatedAt: time,
      }),
    ),
  ),
});
export type DraftList = v.InferOutput<typeof draftList>;

export const draftStored = v.strictObject({
  id,
  updatedAt: v.pipe(
    v.nullable(time),
    v.description('Null if the text equals the saved post; no draft is stored then.'),
  ),
});
export type DraftStored = v.InferOutput<typeof draftStored>;

export const draftDiscarded = v.strictObject({
  discarded: v.pipe(v.boolean(), v.description('Whether there was a draft.')),
});
export type DraftDiscarded = v.InferOutput<typeof draftDiscarded>;

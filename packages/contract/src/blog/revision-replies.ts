import * as v from 'valibot';
import { textFields } from '../edit-conflict.ts';
import { named } from '../named.ts';
import { nextCursor } from './reply-fields.ts';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

/** What a save can change, in display order. */
export const revisionParts = [...textFields, 'tags', 'content', 'published'] as const;
export type RevisionPart = (typeof revisionParts)[number];

const fields = v.strictObject({
  version: v.pipe(v.number(), v.description('The version of the post after that save.')),
  savedAt: v.pipe(v.string(), v.isoTimestamp()),
  savedBy: v.pipe(v.string(), v.description('The byline of the user who saved it.')),
  isYours: v.boolean(),
  name: v.pipe(v.nullable(v.string()), v.description('Named revisions are never deleted.')),
  title: v.string(),
  slug: v.string(),
  published: v.boolean(),
  scheduledAt: v.pipe(
    v.nullable(v.pipe(v.string(), v.isoTimestamp())),
    v.description('When the draft was to be published.'),
  ),
  changed: v.pipe(
    v.nullable(v.array(v.picklist([...revisionParts, 'scheduledAt']))),
    v.description('Differences from the previous revision; null if that is not stored.'),
  ),
});

const revision = named('Revision', fields);
export type Revision = v.InferOutput<typeof revision>;

/** Newest first. */
export const revisionList = v.strictObject({
  revisions: v.array(revision),
  nextCursor,
});
export type RevisionList = v.InferOutput<typeof revisionList>;

export const revisionTexts = named(
  'RevisionTexts',
  v.strictObject({
    ...v.omit(fields, ['changed']).entries,
    excerpt: v.string(),
    coverImage: v.nullable(v.string()),
    tags: v.pipe(v.array(v.string()), v.description('The names of the tags.')),
    content: v.pipe(v.string(), v.description('Markdown.')),
  }),
);
export type RevisionTexts = v.InferOutput<typeof revisionTexts>;

export const revisionNamed = v.strictObject({
  version: v.number(),
  name: v.nullable(v.string()),
});
export type RevisionNamed = v.InferOutput<typeof revisionNamed>;

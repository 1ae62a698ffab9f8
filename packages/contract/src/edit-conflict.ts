import * as v from 'valibot';
import { named } from './named.ts';

// Apart from the inputs: browsers load those, and of these they use only the types.

export const textFields = ['title', 'slug', 'excerpt', 'coverImage'] as const;

const sides = {
  base: v.pipe(
    v.nullable(v.string()),
    v.description('Before both changes; null if that revision is no longer stored.'),
  ),
  theirs: v.string(),
  yours: v.string(),
};

/** Both sides changed it. */
const conflictSides = v.strictObject(sides);
export type ConflictSides = v.InferOutput<typeof conflictSides>;

/** Lines of the content: merged, or changed by both sides. Each ends with a line feed. */
const contentPart = v.union([v.strictObject({ text: v.string() }), conflictSides]);
export type ContentPart = v.InferOutput<typeof contentPart>;

/** The member `conflict` of the problem `edit_conflict`. Nothing was changed. */
export const editConflict = named(
  'EditConflict',
  v.strictObject({
    version: v.pipe(
      v.number(),
      v.description('Of the post as it is saved: the baseVersion of the save that resolves this.'),
    ),
    savedBy: v.pipe(v.string(), v.description('The byline of the author who saved it.')),
    isYours: v.pipe(
      v.boolean(),
      v.description('You saved it, on another device or in another tab.'),
    ),
    savedAt: v.pipe(v.string(), v.isoTimestamp()),
    merged: v.pipe(
      v.strictObject({
        title: v.string(),
        slug: v.string(),
        excerpt: v.string(),
        coverImage: v.string(),
        tags: v.pipe(v.string(), v.description('With commas: the changes of both sides.')),
        published: v.boolean(),
      }),
      v.description('The other fields, merged; yours where both sides changed one.'),
    ),
    fields: v.pipe(
      v.array(v.strictObject({ field: v.picklist(textFields), ...sides })),
      v.description('Those that both sides changed.'),
    ),
    content: v.pipe(
      v.array(contentPart),
      v.description(
        'In order. Each line ends with a line feed: concatenated, all but the last one are the text.',
      ),
    ),
  }),
);
export type EditConflict = v.InferOutput<typeof editConflict>;

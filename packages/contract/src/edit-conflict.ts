import * as v from 'valibot';
import { named } from './named.ts';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

export const textFields = ['title', 'slug', 'excerpt', 'coverImage'] as const;

const sides = {
  base: v.pipe(
    v.nullable(v.string()),
    v.description('The text before both changes; null if that revision is no longer stored.'),
  ),
  theirs: v.string(),
  yours: v.string(),
};

/** A text that both sides changed. */
const conflictSides = v.strictObject(sides);
export type ConflictSides = v.InferOutput<typeof conflictSides>;

/** Lines of the content, merged or in conflict. Each line ends with a line feed. */
const contentPart = v.union([v.strictObject({ text: v.string() }), conflictSides]);
export type ContentPart = v.InferOutput<typeof contentPart>;

/** The member `conflict` of the problem `edit_conflict`. Nothing was saved. */
export const editConflict = named(
  'EditConflict',
  v.strictObject({
    version: v.pipe(
      v.number(),
      v.description('The current version of the post: the baseVersion of the resolving save.'),
    ),
    savedBy: v.pipe(v.string(), v.description('The byline of the author who saved it.')),
    isYours: v.pipe(
      v.boolean(),
      v.description('Whether you saved it, on another device or in another tab.'),
    ),
    savedAt: v.pipe(v.string(), v.isoTimestamp()),
    merged: v.pipe(
      v.strictObject({
        title: v.string(),
        slug: v.string(),
        excerpt: v.string(),
        coverImage: v.string(),
        tags: v.pipe(v.string(), v.description('Comma-separated, with the changes of both sides.')),
        published: v.boolean(),
      }),
      v.description('The merged fields. A field that both sides changed has your text.'),
    ),
    fields: v.pipe(
      v.array(v.strictObject({ field: v.picklist(textFields), ...sides })),
      v.description('The fields that both sides changed.'),
    ),
    content: v.pipe(
      v.array(contentPart),
      v.description(
        'In order. Each line ends with a line feed: the text is their concatenation without the last line feed.',
      ),
    ),
  }),
);
export type EditConflict = v.InferOutput<typeof editConflict>;

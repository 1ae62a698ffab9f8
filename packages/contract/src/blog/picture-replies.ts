import * as v from 'valibot';
import { named } from '../named.ts';
import { nextCursor } from './reply-fields.ts';

const count = v.pipe(v.number(), v.integer());

export const picture = named(
  'Picture',
  v.strictObject({
    id: v.string(),
    path: v.pipe(
      v.string(),
      v.description('For Markdown and for the cover: /pictures/{id}/{width}x{height}.webp'),
    ),
    width: count,
    height: count,
    bytes: v.pipe(count, v.description('The size of all its files.')),
    alt: v.pipe(v.string(), v.description('Empty for a decorative picture.')),
    createdAt: v.pipe(v.string(), v.isoTimestamp()),
    isUsed: v.pipe(
      v.boolean(),
      v.description(
        'Whether a post, one of its revisions, or unsaved text uses it. Otherwise it is deleted after 30 days.',
      ),
    ),
  }),
);
export type Picture = v.InferOutput<typeof picture>;

export const pictureDeleted = v.strictObject({ deleted: v.literal(true) });
export type PictureDeleted = v.InferOutput<typeof pictureDeleted>;

/** Newest first. */
export const pictureList = v.strictObject({
  pictures: v.array(picture),
  nextCursor,
});
export type PictureList = v.InferOutput<typeof pictureList>;

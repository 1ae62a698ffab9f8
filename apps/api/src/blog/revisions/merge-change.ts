import { textOfParts } from '@app/contract/blog/content-parts';
import { type PostChange, writtenExcerpt } from '@app/contract/blog/posts';
import { tagsText } from '@app/contract/blog/tags';
import { type EditConflict, textFields } from '@app/contract/edit-conflict';
import type { blogPosts } from '@app/db/schema/blog';
import { mergeTags } from '../posts/tags.ts';
import { type MergeTexts, mergeContent } from './merge-content.ts';

type Fields = Pick<
  typeof blogPosts.$inferSelect,
  'title' | 'slug' | 'excerpt' | 'coverImage' | 'tags' | 'published' | 'content'
>;

export type Change = Omit<PostChange, 'baseVersion' | 'draft' | 'scheduledAt' | 'tags'> &
  Partial<Pick<Fields, 'tags'>>;

export type ConflictTexts = Omit<EditConflict, 'savedBy' | 'isYours' | 'savedAt'>;

type Merged = { change: Fields } | { conflict: ConflictTexts };

interface MergedBy {
  userId: string;
  mergeTexts: MergeTexts;
}

const asWritten = <Texts extends Fields>(texts: Texts): Texts => ({
  ...texts,
  excerpt: writtenExcerpt(texts),
});

/**
 * Merges a change into a post that was saved in the meantime. A field that one side changed gets
 * its value; contents are merged by lines, tags as sets. A generated excerpt counts as empty,
 * because it is generated again from the merged content.
 * @param storedBase the post before both changes; null if it is no longer stored
 * @returns null if too many merges are waiting
 */
export async function mergeChange(
  storedBase: Fields | null,
  storedTheirs: Fields & { version: number },
  change: Change,
  { userId, mergeTexts }: MergedBy,
): Promise<Merged | null> {
  const base = storedBase && asWritten(storedBase);
  const theirs = asWritten(storedTheirs);
  const yours = asWritten({ ...(base ?? theirs), ...change });
  const fields = textFields.flatMap((field) => {
    const isSame = yours[field] === theirs[field];
    const isOneSided = base?.[field] === theirs[field] || base?.[field] === yours[field];
    if (change[field] === undefined || isSame || isOneSided) return [];
    const sides = { base: base && (base[field] ?? ''), theirs: theirs[field] ?? '' };
    return [{ field, ...sides, yours: yours[field] ?? '' }];
  });
  const content =
    change.content === undefined
      ? [{ text: `${theirs.content}\n` }]
      : await mergeContent(
          { base: base?.content ?? null, theirs: theirs.content, yours: change.content },
          (texts) => mergeTexts(userId, texts),
        );
  if (!content) return null;
  const pick = <Field extends keyof Fields>(field: Field): Fields[Field] =>
    change[field] === undefined || yours[field] === base?.[field] ? theirs[field] : yours[field];
  const merged = {
    title: pick('title'),
    slug: pick('slug'),
    excerpt: pick('excerpt'),
    published: pick('published'),
  };
  const coverImage = pick('coverImage');
  const tags =
    change.tags === undefined
      ? theirs.tags
      : mergeTags(base?.tags ?? null, theirs.tags, change.tags);
  if (fields.length > 0 || content.some((part) => !('text' in part))) {
    const texts = { ...merged, coverImage: coverImage ?? '', tags: tagsText(tags) };
    return { conflict: { version: theirs.version, merged: texts, fields, content } };
  }
  const text = textOfParts(content, ({ yours }) => yours);
  return { change: { ...merged, coverImage, tags, content: text } };
}

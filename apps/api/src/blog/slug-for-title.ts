import { isSlug, slugOf } from '@app/contract/blog/posts';
import anyAscii from 'any-ascii';

/**
 * The slug of a title that has no character of a slug, such as an Arabic one: the title in Latin
 * letters, with the names of its emoji, or where that gives nothing the time in UTC.
 */
export function slugForTitle(title: string, now: number): string {
  const slug = slugOf(anyAscii(title));
  if (isSlug(slug)) return slug;
  return `post-${new Date(now).toISOString().slice(0, 19).replace(/[:T]/g, '-')}`;
}

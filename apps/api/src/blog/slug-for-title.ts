import { isSlug, slugOf } from '@app/contract/blog/posts';
import anyAscii from 'any-ascii';

/** For a title without Latin letters: transliterated, with emoji names, or the time in UTC. */
export function slugForTitle(title: string, now: number): string {
  const slug = slugOf(anyAscii(title));
  if (isSlug(slug)) return slug;
  return `post-${new Date(now).toISOString().slice(0, 19).replace(/[:T]/g, '-')}`;
}

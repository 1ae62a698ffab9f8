import { isSlug, slugOf } from '@app/contract/blog/posts';
import { toIso } from '../../clock.ts';

/**
 * For a title without Latin letters: transliterated, with emoji names, or the time in UTC. Loads
 * the half megabyte of names with the first title.
 */
export async function slugForTitle(title: string, now: number): Promise<string> {
  const { default: anyAscii } = await import('any-ascii');
  const slug = slugOf(anyAscii(title));
  if (isSlug(slug)) return slug;
  return `post-${toIso(now).slice(0, 19).replace(/[:T]/g, '-')}`;
}

import { isSlug, slugOf } from '@app/contract/blog/posts';
import { toIso } from '../../clock.ts';

/**
 * The slug for a title without Latin letters: a transliteration, with names for emoji, or else the
 * time in UTC. The first call loads half a megabyte of names.
 */
export async function slugForTitle(title: string, now: number): Promise<string> {
  const { default: anyAscii } = await import('any-ascii');
  const slug = slugOf(anyAscii(title));
  if (isSlug(slug)) return slug;
  return `post-${toIso(now).slice(0, 19).replace(/[:T]/g, '-')}`;
}

import { limits } from '@app/contract/limits';

/**
 * The slug itself, or the slug with a free number. The number is found by doubling and halving, so
 * that the thousandth post with the same title needs twenty lookups instead of a thousand.
 */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug;
  const base = slug.slice(0, limits.slug - 8).replace(/-$/, '');
  const numbered = (number: number): string => `${base}-${number}`;
  let free = 2;
  while (isTaken(numbered(free))) free *= 2;
  for (let taken = free / 2; free - taken > 1; ) {
    const middle = Math.floor((taken + free) / 2);
    if (isTaken(numbered(middle))) taken = middle;
    else free = middle;
  }
  return numbered(free);
}

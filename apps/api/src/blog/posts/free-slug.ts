import { limits } from '@app/contract/limits';

type IsTaken = (slug: string) => boolean;

/** The slug itself, or with a number. */
export const findFreeSlug = (slug: string, isTaken: IsTaken): string =>
  createSlugFinder()(slug, isTaken);

/** For many posts: those of the same slug do not try each number again. */
export function createSlugFinder() {
  const nextNumbers = new Map<string, number>();
  return (slug: string, isTaken: IsTaken): string => {
    if (!isTaken(slug)) return slug;
    const base = slug.slice(0, limits.slug - 6).replace(/-$/, '');
    for (let number = nextNumbers.get(base) ?? 2; ; number += 1) {
      const free = `${base}-${number}`;
      if (isTaken(free)) continue;
      nextNumbers.set(base, number + 1);
      return free;
    }
  };
}

import { limits } from '@app/contract/limits';

/** The slug itself, or with a number. */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  const base = slug.slice(0, limits.slug - 6).replace(/-$/, '');
  for (let number = 2, free = slug; ; number += 1) {
    if (!isTaken(free)) return free;
    free = `${base}-${number}`;
  }
}

import { limits } from '@app/contract/limits';
import { expect, test } from 'vitest';
import { findFreeSlug } from './free-slug.ts';

/** Taken slugs, and the number of lookups. */
function slugs(...taken: string[]) {
  const all = new Set(taken);
  const counts = { lookups: 0 };
  return {
    all,
    counts,
    isTaken(slug: string): boolean {
      counts.lookups += 1;
      return all.has(slug);
    },
  };
}

test('appends the next number', () => {
  const { isTaken } = slugs('a', 'c', 'c-2', 'c-3', 'c-4');
  expect(findFreeSlug('b', isTaken)).toBe('b');
  expect(findFreeSlug('a', isTaken)).toBe('a-2');
  expect(findFreeSlug('c', isTaken)).toBe('c-5');
});

test('never returns a taken number, whatever gaps there are', () => {
  for (let pattern = 0; pattern < 1_024; pattern += 1) {
    const numbers = Array.from({ length: 10 }, (_, bit) => bit + 2);
    const taken = numbers.filter((_, bit) => (pattern >> bit) % 2 === 1).map((n) => `a-${n}`);
    const { all, isTaken } = slugs('a', ...taken);
    const free = findFreeSlug('a', isTaken);
    expect([free, all.has(free)]).toEqual([expect.stringMatching(/^a-\d+$/), false]);
  }
});

test('needs at most twenty lookups for the thousandth post with the same title', () => {
  const { all, counts, isTaken } = slugs();
  for (let post = 1; post <= 1_000; post += 1) {
    counts.lookups = 0;
    all.add(findFreeSlug('same', isTaken));
    expect(counts.lookups).toBeLessThanOrEqual(20);
  }
  expect([all.size, all.has('same-1000')]).toEqual([1_000, true]);
});

test('shortens a long slug to make room for the number', () => {
  const long = 'x'.repeat(limits.slug);
  const free = findFreeSlug(long, (slug) => slug === long);
  expect(free).toMatch(/^x+-2$/);
  expect(free.length).toBeLessThanOrEqual(limits.slug);
});

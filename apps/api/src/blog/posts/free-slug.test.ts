import { expect, test } from 'vitest';
import { createSlugFinder, findFreeSlug } from './free-slug.ts';

test('appends the first free number', () => {
  const taken = new Set(['a', 'a-2', 'a-4']);
  expect(findFreeSlug('b', (slug) => taken.has(slug))).toBe('b');
  expect(findFreeSlug('a', (slug) => taken.has(slug))).toBe('a-3');
});

test('the work for many posts with one slug is proportional to their number', () => {
  const taken = new Set<string>();
  let checks = 0;
  const find = createSlugFinder();
  for (let post = 0; post < 1_000; post += 1) {
    taken.add(
      find('same', (slug) => {
        checks += 1;
        return taken.has(slug);
      }),
    );
  }
  expect(taken.size).toBe(1_000);
  expect(taken).toContain('same-1000');
  expect(checks).toBeLessThan(3_000);
});

import { expect, test } from 'vitest';
import { isOverdue, retryDelay } from './backoff.ts';

const minute = 60_000;
const hour = 60 * minute;

test.each([
  [1, 0.5 * minute],
  [2, 1 * minute],
  [3, 2 * minute],
  [10, 256 * minute],
  [11, 6 * hour],
  [12, 6 * hour],
  [2_000, 6 * hour],
])('after %i failed attempts the wait is from half of %i ms to all of it', (attempts, longest) => {
  expect(retryDelay(attempts, () => 0)).toBe(longest / 2);
  expect(retryDelay(attempts, () => 0.5)).toBe(longest * 0.75);
  expect(retryDelay(attempts, () => 1)).toBe(longest);
});

test('a mail is overdue once it is older than 72 hours', () => {
  expect(isOverdue(0, 72 * hour)).toBe(false);
  expect(isOverdue(0, 72 * hour + 1)).toBe(true);
});

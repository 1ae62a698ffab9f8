import { hour, minute } from '@app/contract/durations';
import { expect, test } from 'vitest';
import { isOverdue, retryDelay } from './backoff.ts';

test.each([
  [1, 0.5 * minute],
  [2, 1 * minute],
  [3, 2 * minute],
  [10, 256 * minute],
  [11, 6 * hour],
  [12, 6 * hour],
  [2_000, 6 * hour],
])(
  'after %i failed attempts, the delay is between half of %i ms and all of it',
  (attempts, longest) => {
    expect(retryDelay(attempts, () => 0)).toBe(longest / 2);
    expect(retryDelay(attempts, () => 0.5)).toBe(longest * 0.75);
    expect(retryDelay(attempts, () => 1)).toBe(longest);
  },
);

test.each([
  [72 * hour, 100, false],
  [72 * hour + 1, 100, true],
  [72 * hour + 1, 12, true],
  // Resent manually after a month, or the server was off for a week.
  [720 * hour, 11, false],
  [720 * hour, 12, true],
])('an email of age %i ms with %i failed attempts is overdue: %s', (age, attempts, expected) => {
  expect(isOverdue({ createdAt: 0, attempts }, age)).toBe(expected);
});

test.each([
  ['shortest', 0],
  ['longest', 1],
])('an email that always fails is retried for 72 hours with the %s delays', (_which, random) => {
  let now = 0;
  let attempts = 1;
  for (; !isOverdue({ createdAt: 0, attempts }, now); attempts += 1) {
    now += retryDelay(attempts, () => random);
  }
  expect(now).toBeGreaterThan(72 * hour);
  expect(now).toBeLessThanOrEqual(78 * hour);
});

import { expect, test } from 'vitest';
import { waitBeforeRetry } from './retry.ts';
import { readRetryAfter } from './retry-after.ts';

const longestTimer = 2 ** 31 - 1;

test.each([
  ['30', 30],
  ['0', null],
  ['-5', null],
  ['', null],
  ['soon', null],
  ['Wed, 21 Oct 2026 07:28:00 GMT', null],
  [null, null],
  ['2147484', 86_400],
  ['99999999999999', 86_400],
  ['Infinity', 86_400],
])('reads Retry-After %s as %s', (header, seconds) => {
  expect(readRetryAfter(header)).toBe(seconds);
});

test('a form never waits longer than a timer can', () => {
  const failure = {
    ok: false,
    problem: null,
    retryAfter: readRetryAfter('99999999999999'),
  } as const;
  for (const tries of [0, 6, 2_000, Number.MAX_SAFE_INTEGER]) {
    const wait = waitBeforeRetry(failure, tries) ?? Number.NaN;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(longestTimer);
  }
});

import { day } from '@app/contract/durations';
import { expect, test } from 'vitest';
import { expiryOf } from './security-txt.ts';

test.each([
  ['2026-11-21T10:26:00Z', '2027-10-01T00:00:00Z'],
  ['2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z'],
  ['2026-12-31T23:59:59Z', '2027-11-01T00:00:00Z'],
  ['2028-02-29T12:00:00Z', '2029-01-01T00:00:00Z'],
])('a build at %s expires at %s', (now, expiry) => {
  expect(expiryOf(new Date(now))).toBe(expiry);
});

test('all builds of a month have the same expiry, less than a year ahead', () => {
  const days = Array.from({ length: 31 }, (_, index) => Date.UTC(2027, 6, index + 1));
  expect(new Set(days.map((time) => expiryOf(new Date(time)))).size).toBe(1);
  for (const time of days) {
    const ahead = Date.parse(expiryOf(new Date(time))) - time;
    expect(ahead).toBeGreaterThan(300 * day);
    expect(ahead).toBeLessThan(365 * day);
  }
});

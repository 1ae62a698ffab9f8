import { expect, test } from 'vitest';
import { duration } from './duration.ts';

test.each([
  ['1m', 60_000],
  ['30m', 1_800_000],
  ['6h', 21_600_000],
  ['1d', 86_400_000],
  ['30d', 2_592_000_000],
  ['720h', 2_592_000_000],
])('parses %s as %d milliseconds', (text, milliseconds) => {
  expect(duration('every', '').parse(text)).toBe(milliseconds);
});

test.each(['', '6', 'h', '0h', '06h', '-1h', '1.5h', '1e2h', '6 h', '6H', '30s', '1w', '31d'])(
  'rejects %j',
  (text) => {
    expect(() => duration('every', '').parse(text)).toThrow(
      `--every ${text}: expected minutes, hours or days up to 30d, such as 30m, 6h or 1d.`,
    );
  },
);

import { expect, test } from 'vitest';
import { countWords, readingMinutes } from './reading-time.ts';

test.each([
  ['', 0],
  ['… — !', 0],
  ["It doesn't leak, e.g. a well-kept pipe.", 8],
  ['水道 and a pipe', 5],
  ['Thợ sửa ống nước', 4],
])('counts the words of %j', (text, words) => {
  expect(countWords(text)).toBe(words);
});

test('rounds to minutes, and never to none', () => {
  expect([0, 238, 356, 358, 2_380].map(readingMinutes)).toEqual([1, 1, 1, 2, 10]);
});

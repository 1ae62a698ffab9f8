import { expect, test } from 'vitest';
import { countMarkdownWords, countWords, readingMinutes } from './reading-time.ts';

test.each([
  ['', 0],
  ['… — !', 0],
  ["It doesn't leak, e.g. a well-kept pipe.", 8],
  ['水道 and a pipe', 5],
  ['Thợ sửa ống nước', 4],
  ['การค้นหา and ภาษาไทย 123', 6],
])('counts the words of %j', (text, words) => {
  expect(countWords(text)).toBe(words);
});

test.each([
  ['One\n\n```js\nnot this\n```\n\ntwo', 2],
  ['One\n~~~\nnot\n```\nthis\n~~~~\ntwo', 2],
  ['One\n\n````\nnot\n```\nthis', 1],
  ['Inline `code` and ```more``` count', 5],
  ['A [link](https://not.example/this)', 2],
])('counts the words of the Markdown %j', (markdown, words) => {
  expect(countMarkdownWords(markdown)).toBe(words);
});

test('counts a long text that consists of fences without backtracking', () => {
  expect(countMarkdownWords('```\n~~~\n'.repeat(20_000))).toBe(0);
});

test('rounds to minutes, at least one', () => {
  expect([0, 238, 356, 358, 2_380].map(readingMinutes)).toEqual([1, 1, 1, 2, 10]);
});

import { expect, test } from 'vitest';
import { htmlBytes, maxHtmlBytes } from './html-bytes.ts';

test.each([
  ['', 0],
  ['text', 4],
  ['漢字', 6],
  [`"&'<>`, 30],
  ['a < b', 10],
])('%s takes up to %i bytes in a page', (text, bytes) => {
  expect(htmlBytes(Buffer.from(text))).toBe(bytes);
});

test('counts six bytes for each character of a page', () => {
  const page = {
    title: 'ab',
    tags: ['c', 'd'],
    post: { content: '漢', version: 1, excerpt: null },
  };
  expect(maxHtmlBytes(page)).toBe(30);
});

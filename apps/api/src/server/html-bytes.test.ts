import { expect, test } from 'vitest';
import { htmlBytes } from './html-bytes.ts';

test.each([
  ['', 0],
  ['text', 4],
  ['漢字', 6],
  [`"&'<>`, 30],
  ['a < b', 10],
])('%s takes up to %i bytes in a page', (text, bytes) => {
  expect(htmlBytes(Buffer.from(text))).toBe(bytes);
});

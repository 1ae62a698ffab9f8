import { expect, test } from 'vitest';
import { maxHtmlBytes } from './html-bytes.ts';

test('counts six bytes for each character of a page', () => {
  const page = {
    title: 'ab',
    tags: ['c', 'd'],
    post: { content: '漢', version: 1, excerpt: null },
  };
  expect(maxHtmlBytes(page)).toBe(30);
});

import { expect, test } from 'vitest';
import { editor } from './editor.ts';

test.each([
  [['Ann'], 'Ann also has this post open.'],
  [['Ann', 'Bob'], 'Ann and Bob also have this post open.'],
  [[null], 'Another writer also has this post open.'],
  [[null, null], '2 other writers also have this post open.'],
  [[null, 'Ann'], 'Ann and 1 other also have this post open.'],
  [['Ann', null, 'Bob', null], 'Ann, Bob, and 2 others also have this post open.'],
])('counts writers without a name: %j', (names, sentence) => {
  expect(editor.others(names)).toBe(sentence);
});

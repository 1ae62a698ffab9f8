import { expect, test } from 'vitest';
import { alignTable } from './table.ts';

test.each([
  [
    'widths',
    ['|a|long cell|', '|-|:-:|', '| wider | b |'],
    ['| a     | long cell |', '| ----- | :-------: |', '| wider | b         |'],
  ],
  ['missing cells', ['a | b', '- | -:', 'c'], ['| a   | b   |', '| --- | --: |', '| c   |     |']],
  [
    'escaped pipes and emoji',
    ['| a \\| b | 👩‍🔧 |', '| - | - |'],
    ['| a \\| b | 👩‍🔧   |', '| ------ | --- |'],
  ],
])('aligns a table with %s', (_what, lines, aligned) => {
  expect(alignTable(lines)).toEqual(aligned);
});

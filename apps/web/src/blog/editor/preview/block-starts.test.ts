import { expect, test } from 'vitest';
import { blockStartsOf } from './block-starts.ts';

const blocksOf = (text: string): string[] => {
  const starts = blockStartsOf(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1]).trim());
};

test.each([
  ['paragraphs', 'One\nline\n\nTwo', ['One\nline', 'Two']],
  ['a heading without an empty line below', '## One\nTwo', ['## One', 'Two']],
  ['a list with empty lines', '- a\n\n- b\n\n  more\n\nEnd', ['- a\n\n- b\n\n  more', 'End']],
  ['code with empty lines', '```js\na\n\nb\n```\n\nEnd', ['```js\na\n\nb\n```', 'End']],
  ['an unfinished code block', 'One\n\n~~~\n```\n\nb', ['One', '~~~\n```\n\nb']],
  ['nothing', '\n\n', []],
])('finds the blocks of %s', (_what, text, blocks) => {
  expect(blocksOf(text)).toEqual(blocks);
});

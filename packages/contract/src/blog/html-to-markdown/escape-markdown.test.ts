import { expect, test } from 'vitest';
import { escapeMarkdown } from './escape-markdown.ts';

test('escapes underscores in words, but not in bare URLs', () => {
  expect(
    escapeMarkdown('my_kit of https://github.com/acme/my_kit and www.my_kit.example/a_b, or _x_'),
  ).toBe('my\\_kit of https://github.com/acme/my_kit and www.my_kit.example/a_b, or \\_x\\_');
});

test.each([
  ['2 * 3, [a] and `b`', '2 \\* 3, \\[a\\] and \\`b\\`'],
  ['a\\b', 'a\\\\b'],
  ['the entity &nbsp; or &#160;', 'the entity \\&nbsp; or \\&#160;'],
  ['R&D & more', 'R&D & more'],
  ['~~x~~ and ~y~', '\\~\\~x\\~\\~ and ~y\\~'],
  ['from ~/src to ~/lib', 'from ~/src to ~/lib'],
  ['- a', '\\- a'],
  ['+ a', '\\+ a'],
  ['# a', '\\# a'],
  ['#tag', '#tag'],
  ['> a', '\\> a'],
  ['===', '\\==='],
  ['1. a', '1\\. a'],
  ['2) a', '2\\) a'],
  ['~~~', '\\~\\~\\~'],
])('escapes %j', (text, markdown) => {
  expect(escapeMarkdown(text)).toBe(markdown);
});

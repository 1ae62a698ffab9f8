import { expect, test } from 'vitest';
import { compareTexts, type TextPart } from './compare-texts.ts';

const side = (parts: readonly TextPart[], other: TextPart['change']): string =>
  parts
    .filter(({ change }) => change !== other)
    .map(({ text }) => text)
    .join('');

/** [-removed-] and {+added+}, as in `git diff --word-diff`. */
const marked = (before: string, after: string): string =>
  compareTexts(before, after)
    .map(({ text, change }) => {
      if (change === 'removed') return `[-${text}-]`;
      return change === 'added' ? `{+${text}+}` : text;
    })
    .join('');

test.each([
  ['', '', ''],
  ['Same.\n', 'Same.\n', 'Same.\n'],
  ['', 'New', '{+New+}'],
  ['Old', '', '[-Old-]'],
  ['The old house.', 'The new house.', 'The [-old-]{+new+} house.'],
  ['One\ntwo three\nfour', 'One\ntwo 3\nfour', 'One\ntwo [-three-]{+3+}\nfour'],
  ['a red big cat', 'a blue small cat', 'a [-red big-]{+blue small+} cat'],
  ['One.\n\nThree.', 'One.\n\nTwo.\n\nThree.', 'One.\n\n{+Two.\n\n+}Three.'],
  ['старый дом', 'новый дом', '[-старый-]{+новый+} дом'],
  ['古い家です', '新しい家です', '[-古-]{+新し+}い家です'],
  ['cafe\u0301s 🚐', 'cafe\u0301s 🚚', 'cafe\u0301s [-🚐-]{+🚚+}'],
  ['a <b>', 'a <i>', 'a <[-b-]{+i+}>'],
])('compares %j with %j', (before, after, expected) => {
  expect(marked(before, after)).toBe(expected);
});

const numbered = (count: number, name: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => name(index)).join('');

test.each([
  ['distinct words', numbered(15_000, (n) => `a${n} `), numbered(15_000, (n) => `b${n} `)],
  ['distinct lines', numbered(15_000, (n) => `a${n}\n`), numbered(15_000, (n) => `b${n}\n`)],
  ['two words', numbered(50_000, (n) => `${n % 2} `), numbered(50_000, (n) => `${n % 3} `)],
  ['characters', '漢字仮名'.repeat(50_000), '字漢名仮'.repeat(50_000)],
])('bounds the comparison of 100 kB of %s and loses no text', (_what, before, after) => {
  const parts = compareTexts(before, after);
  expect(side(parts, 'added') === before).toBe(true);
  expect(side(parts, 'removed') === after).toBe(true);
  // Compared as a whole: each of them would take seconds word by word.
  expect(parts.length).toBeLessThan(10);
});

test('limits the number of changes in a text', () => {
  const line = (n: number, word: string) => `${n} ${word} ${n}\n${n}\n`;
  const before = numbered(8_000, (n) => line(n % 2, 'old'));
  const after = numbered(8_000, (n) => line(n % 2, 'new'));
  const parts = compareTexts(before, after);
  expect(side(parts, 'added') === before).toBe(true);
  expect(side(parts, 'removed') === after).toBe(true);
  expect(parts.length).toBeLessThan(15_000);
});

test('compares a long text with a few changes word by word', () => {
  const before = numbered(1_000, (n) => `Paragraph ${n} says something about pipes and water.\n\n`);
  const after = before.replaceAll(/(\d0) says something/g, '$1 says nothing');
  const parts = compareTexts(before, after);
  expect(side(parts, 'removed') === after).toBe(true);
  expect(parts.filter(({ change }) => change === 'removed')).toHaveLength(99);
  expect(parts).toContainEqual({ text: 'nothing', change: 'added' });
});

import { expect, test } from 'vitest';
import { counted, formatRest, formatTable, formatTime, plainText } from './table.ts';

test('sizes columns by their content', () => {
  expect(
    formatTable(
      ['ID', 'NAME'],
      [{ cells: ['1', 'Ann'], note: 'wrote twice' }, { cells: ['200', 'Bob'] }],
    ),
  ).toBe('ID   NAME\n1    Ann\n    wrote twice\n200  Bob\n');
});

test('truncates the widest column to fit the terminal', () => {
  const table = formatTable(
    ['ID', 'TO', 'WHAT'],
    [{ cells: ['12345678', 'x'.repeat(200), 'short'], note: 'y'.repeat(200) }],
    40,
  );
  expect(table.split('\n')).toEqual([
    'ID        TO                       WHAT',
    `12345678  ${'x'.repeat(22)}…  short`,
    `    ${'y'.repeat(35)}…`,
    '',
  ]);
});

test('measures wide characters correctly and does not split them', () => {
  expect(formatTable(['NAME', 'N'], [{ cells: ['水漏れ水漏れ', '1'] }], 11)).toBe(
    'NAME      N\n水漏れ…   1\n',
  );
});

test.each([
  ['line\nbreaks\r\n and\ttabs', 'line breaks and tabs'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['a bell \u0007 and a title \u001b]0;owned\u0007', 'a bell and a title'],
  ['turned \u202Eround', 'turned round'],
])('shows %j as %j', (text, expected) => {
  expect(plainText(text)).toBe(expected);
});

test('formats times to the minute', () => {
  expect(formatTime('2026-03-01T12:34:56.789Z')).toBe('2026-03-01 12:34');
});

test('formats singular and plural', () => {
  expect([0, 1, 2].map((n) => counted(n, 'email'))).toEqual(['0 emails', '1 email', '2 emails']);
});

test('reports omitted rows', () => {
  expect(formatRest(50, 50)).toBe('');
  expect(formatRest(50, 62)).toBe('\n12 older ones are not shown: --limit 62\n');
});

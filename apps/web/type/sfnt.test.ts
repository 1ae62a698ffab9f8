import { expect, test } from 'vitest';
import { tablesOf, withTables } from './sfnt.ts';

const font = withTables(
  Buffer.from('000100000000000000000000', 'hex'),
  new Map([
    ['glyf', Buffer.from([1, 2, 3, 4, 5])],
    ['cmap', Buffer.from([6, 7, 8, 9])],
  ]),
);

test('tables come out as they went in, sorted, each at a multiple of four bytes', () => {
  expect([...tablesOf(font)].map(([tag, table]) => [tag, [...table]])).toEqual([
    ['cmap', [6, 7, 8, 9]],
    ['glyf', [1, 2, 3, 4, 5]],
  ]);
  expect(font.length % 4).toBe(0);
});

test('a table’s sum is that of its words (OpenType 1.9, "Calculating Checksums")', () => {
  expect(font.readUInt32BE(12 + 16 + 4)).toBe(0x01020304 + 0x05000000);
});

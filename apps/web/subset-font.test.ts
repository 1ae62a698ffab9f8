import { expect, test } from 'vitest';
import { charactersOf } from './subset-font.ts';

test('expands ranges into characters', () => {
  expect(charactersOf('U+20-23,U+A9,U+2018-2019')).toBe(' !"#©‘’');
});

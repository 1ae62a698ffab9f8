import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  [null, 'U'],
  [{ fullName: null, username: null }, 'U'],
  [{ fullName: 'ann marie author', username: 'zoe' }, 'AM'],
  [{ fullName: null, username: 'ann.author' }, 'A'],
  [{ fullName: '  Ann   Author ', username: null }, 'AA'],
  // A letter beyond the first 65,536 characters of Unicode is one letter.
  [{ fullName: '𐐨nn', username: null }, '𐐀'],
])('%j is drawn as %s', (person, initials) => {
  expect(initialsOf(person)).toBe(initials);
});

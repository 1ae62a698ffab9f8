import { expect, test } from 'vitest';
import { initialOf, initialsOf } from './initials.ts';

test.each([
  [null, 'U'],
  [{ fullName: null, username: null }, 'U'],
  [{ fullName: 'ann marie author', username: 'zoe' }, 'AM'],
  [{ fullName: null, username: 'ann.author' }, 'A'],
  [{ fullName: '  Ann   Author ', username: null }, 'AA'],
  // Uppercase is longer than what was typed.
  [{ fullName: 'ß ﬁ', username: null }, 'SF'],
  // A letter beyond the first 65,536 characters of Unicode is one letter.
  [{ fullName: '𐐨nn', username: null }, '𐐀'],
  // A letter with its marks is one letter, and so is an emoji of several parts.
  [{ fullName: 'e\u0301va 👩‍🔧', username: null }, 'E\u0301👩‍🔧'],
  [{ fullName: 'محمد علي', username: null }, 'مع'],
])('the initials of %j are %s', (person, initials) => {
  expect(initialsOf(person)).toBe(initials);
});

test.each([
  [null, 'U'],
  ['', 'U'],
  [' ann', 'A'],
  ['ß@example.com', 'S'],
])('the initial of %j is %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});

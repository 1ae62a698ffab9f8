import { expect, test } from 'vitest';
import { initialOf, initialsOf } from './initials.ts';

test.each([
  [null, 'U'],
  [{ fullName: null, username: null }, 'U'],
  [{ fullName: 'ann marie author', username: 'zoe' }, 'AM'],
  [{ fullName: null, username: 'ann.author' }, 'A'],
  [{ fullName: '  Ann   Author ', username: null }, 'AA'],
  // Letters whose uppercase form has two letters.
  [{ fullName: 'ß ﬁ', username: null }, 'SF'],
  // A letter outside the Basic Multilingual Plane.
  [{ fullName: '𐐨nn', username: null }, '𐐀'],
  // A letter with a combining mark, and an emoji made of several code points.
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

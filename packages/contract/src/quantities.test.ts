import { expect, test } from 'vitest';
import { inWords } from './quantities.ts';

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [900, '15 minutes'],
  [7_199, '120 minutes'],
  [7_200, '2 hours'],
  [86_399, '24 hours'],
])('formats %i seconds as %s', (seconds, words) => {
  expect(inWords(seconds)).toBe(words);
});

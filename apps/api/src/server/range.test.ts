import { expect, test } from 'vitest';
import { parseRange } from './range.ts';

const length = 10;

test.each([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-4', { first: 4, last: 4 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=0-9', { first: 0, last: 9 }],
  // Past the end counts as to the end.
  ['bytes=5-100', { first: 5, last: 9 }],
  ['bytes=-100', { first: 0, last: 9 }],
])('%s of ten bytes', (header, range) => {
  expect(parseRange(header, length)).toEqual(range);
});

test.each(['bytes=10-', 'bytes=10-20', 'bytes=99-99', 'bytes=-0'])(
  '%s of ten bytes cannot be satisfied',
  (header) => {
    expect(parseRange(header, length)).toBe('unsatisfiable');
  },
);

test.each([
  'bytes=0-1,3-4',
  'bytes=-',
  'bytes=3-1',
  'bytes=a-b',
  'bytes=1.5-2',
  'bytes=--1',
  'bytes 0-1',
  'lines=0-1',
  '',
])('%j is ignored', (header) => {
  expect(parseRange(header, length)).toBeNull();
});

test.each(['bytes=0-', 'bytes=-1'])('%s of nothing cannot be satisfied', (header) => {
  expect(parseRange(header, 0)).toBe('unsatisfiable');
});

import { describe, expect, test } from 'vitest';
import { blockPositionOf, offsetOf } from './block-position.ts';

describe('a position in blocks', () => {
  test.each([
    [0, { block: 0, part: 0 }],
    [5, { block: 0, part: 0.5 }],
    [10, { block: 1, part: 0 }],
    [35, { block: 2, part: 0.5 }],
    [99, { block: 2, part: 1 }],
  ])('of %d', (position, expected) => {
    expect(blockPositionOf([0, 10, 30], 40, position)).toEqual({ ...expected, blocks: 3 });
  });

  test('is null before the first block, and without any', () => {
    expect(blockPositionOf([4], 10, 2)).toBeNull();
    expect(blockPositionOf([], 0, 0)).toBeNull();
  });
});

describe('the offset of a position', () => {
  test.each([
    [{ block: 0, part: 0, blocks: 3 }, 100],
    [{ block: 1, part: 0.5, blocks: 3 }, 250],
    [{ block: 2, part: 1, blocks: 3 }, 400],
    // The page has half as many blocks as the text.
    [{ block: 3, part: 0, blocks: 6 }, 250],
  ])('%j is %d', (position, offset) => {
    expect(offsetOf(3, (index) => 100 * (index + 1), position)).toBe(offset);
  });

  test('is zero on a page without blocks', () => {
    expect(offsetOf(0, () => 100, { block: 1, part: 0, blocks: 3 })).toBe(0);
  });
});

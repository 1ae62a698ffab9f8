import { describe, expect, test } from 'vitest';
import { blockPositionOf, offsetOf } from './block-position.ts';

describe('blockPositionOf', () => {
  test.each([
    [0, { block: 0, part: 0 }],
    [5, { block: 0, part: 0.5 }],
    [10, { block: 1, part: 0 }],
    [35, { block: 2, part: 0.5 }],
    [99, { block: 2, part: 1 }],
  ])('finds the block at %d', (position, expected) => {
    expect(blockPositionOf([0, 10, 30], 40, position)).toEqual({ ...expected, blocks: 3 });
  });

  test('returns null before the first block, and if there are none', () => {
    expect(blockPositionOf([4], 10, 2)).toBeNull();
    expect(blockPositionOf([], 0, 0)).toBeNull();
  });
});

describe('offsetOf', () => {
  test.each([
    [{ block: 0, part: 0, blocks: 3 }, 100],
    [{ block: 1, part: 0.5, blocks: 3 }, 250],
    [{ block: 2, part: 1, blocks: 3 }, 400],
    // The page has half as many blocks as the text.
    [{ block: 3, part: 0, blocks: 6 }, 250],
  ])('converts %j to %d', (position, offset) => {
    expect(offsetOf(3, (index) => 100 * (index + 1), position)).toBe(offset);
  });

  test('returns zero on a page without blocks', () => {
    expect(offsetOf(0, () => 100, { block: 1, part: 0, blocks: 3 })).toBe(0);
  });
});

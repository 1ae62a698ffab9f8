/** A position in a text or page: the index of its block, and the fraction of the block above it. */
export interface BlockPosition {
  block: number;
  part: number;
  /** The number of blocks. */
  blocks: number;
}

/**
 * @param starts the starts of the blocks, ascending, in any unit
 * @param end the end of the last block
 * @returns null before the first block
 */
export const blockPositionOf = (
  starts: readonly number[],
  end: number,
  position: number,
): BlockPosition | null => {
  const block = starts.findLastIndex((start) => start <= position);
  const start = starts[block];
  if (start === undefined) return null;
  const length = (starts[block + 1] ?? end) - start;
  const part = length > 0 ? Math.min(1, (position - start) / length) : 0;
  return { block, part, blocks: starts.length };
};

/**
 * The reverse of `blockPositionOf`. Scales the position if the number of blocks differs. Zero if
 * there are no blocks.
 * @param count the number of blocks
 * @param edgeOf returns the start of a block, or for `count` the end of the last one. A function,
 * because measuring all blocks would be slow.
 */
export const offsetOf = (
  count: number,
  edgeOf: (index: number) => number,
  { block, part, blocks }: BlockPosition,
): number => {
  if (count === 0) return 0;
  const position = ((block + part) / blocks) * count;
  const index = Math.min(Math.floor(position), count - 1);
  const start = edgeOf(index);
  return start + (position - index) * (edgeOf(index + 1) - start);
};

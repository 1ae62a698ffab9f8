/** A position in a text or page: the number of its block, and the part of it that is above. */
export interface BlockPosition {
  block: number;
  part: number;
  /** How many there are. */
  blocks: number;
}

/**
 * @param starts of the blocks, ascending, in any unit
 * @param end of the last one
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
 * The reverse. Proportional if there are more or fewer blocks. Zero without blocks.
 * @param count of the blocks
 * @param edgeOf the start of a block, or at their number the end of the last one; measuring all of
 * them would take long
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

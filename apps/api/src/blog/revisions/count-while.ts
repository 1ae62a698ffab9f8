/** The number of values in a row, from 0, that meet the condition. */
export function countWhile(max: number, isSame: (n: number) => boolean): number {
  let count = 0;
  while (count < max && isSame(count)) count += 1;
  return count;
}

/** How many in a row, from 0. */
export function countWhile(max: number, isSame: (n: number) => boolean): number {
  let count = 0;
  while (count < max && isSame(count)) count += 1;
  return count;
}

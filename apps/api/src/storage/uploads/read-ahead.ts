/**
 * Works on several items at once, because a bucket takes its time for each, and returns the results
 * in their order.
 */
export async function* readAhead<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result]> {
  const started: { item: Item; result: Promise<Result> }[] = [];
  for (const item of items) {
    const result = read(item);
    // Handled where it is awaited.
    result.catch(() => undefined);
    started.push({ item, result });
    const first = started.length < atOnce ? undefined : started.shift();
    if (first) yield [first.item, await first.result];
  }
  for (const { item, result } of started) yield [item, await result];
}

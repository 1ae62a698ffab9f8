/**
 * Reads several items at once, because each takes a bucket some time. Yields the results in order.
 */
export async function* readAhead<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result]> {
  const started: { item: Item; result: Promise<Result> }[] = [];
  for (const item of items) {
    const result = read(item);
    // Prevents an unhandled rejection before it is awaited.
    result.catch(() => undefined);
    started.push({ item, result });
    const first = started.length < atOnce ? undefined : started.shift();
    if (first) yield [first.item, await first.result];
  }
  for (const { item, result } of started) yield [item, await result];
}

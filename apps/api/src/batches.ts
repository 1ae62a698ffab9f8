export function* batchesOf<T>(items: readonly T[], size: number): Generator<T[], undefined> {
  for (let first = 0; first < items.length; first += size) yield items.slice(first, first + size);
}

/** Batches whose sizes add up to at most `max`. A larger item gets a batch of its own. */
export function* batchesBySize<T>(
  items: Iterable<T>,
  max: number,
  sizeOf: (item: T) => number,
): Generator<T[], undefined> {
  let batch: T[] = [];
  let room = max;
  for (const item of items) {
    const size = sizeOf(item);
    if (batch.length > 0 && size > room) {
      yield batch;
      batch = [];
      room = max;
    }
    batch.push(item);
    room -= size;
  }
  if (batch.length > 0) yield batch;
}

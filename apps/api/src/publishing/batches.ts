export function* batchesOf<T>(items: readonly T[], size: number): Generator<T[], undefined> {
  for (let first = 0; first < items.length; first += size) yield items.slice(first, first + size);
}

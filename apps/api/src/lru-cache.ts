import { LRUCache } from 'lru-cache';

type Options = Pick<
  LRUCache.Options<string, object, unknown>,
  'ttl' | 'ttlResolution' | 'noUpdateTTL' | 'perf'
>;

/**
 * A cache that evicts the least recently used entry above `maxEntries`. It grows with its entries:
 * with LRUCache's `max`, it would allocate memory for all of them at the start.
 */
export const createLruCache = <Value extends {}>(
  maxEntries: number,
  options: Options = {},
): LRUCache<string, Value> =>
  new LRUCache({ ...options, maxSize: maxEntries, sizeCalculation: () => 1 });

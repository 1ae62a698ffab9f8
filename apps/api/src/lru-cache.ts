import { LRUCache } from 'lru-cache';

type Options = Pick<
  LRUCache.Options<string, object, unknown>,
  'ttl' | 'ttlResolution' | 'noUpdateTTL' | 'perf'
>;

/**
 * A cache that drops the least recently used of more than `maxEntries`. It grows with its entries:
 * with LRUCache's `max`, 10,000 would take up memory from the start.
 */
export const createLruCache = <Value extends {}>(
  maxEntries: number,
  options: Options = {},
): LRUCache<string, Value> =>
  new LRUCache({ ...options, maxSize: maxEntries, sizeCalculation: () => 1 });

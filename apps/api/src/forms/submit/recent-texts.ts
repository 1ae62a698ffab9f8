import { hash } from 'node:crypto';
import { day } from '@app/contract/durations';
import type { Clock } from '../../clock.ts';
import { createLruCache } from '../../lru-cache.ts';

/** Shorter texts repeat by chance, such as "Please call me back." */
const minLength = 60;
const maxTexts = 10_000;

export type RecentTexts = ReturnType<typeof createRecentTexts>;

/** Counts repeated texts per day. In memory: losing the counts in a restart is harmless. */
export function createRecentTexts(clock: Clock) {
  const counts = createLruCache<number>(maxTexts, {
    ttl: day,
    noUpdateTTL: true,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  });

  return {
    /** Counts the text, ignoring case and white space, and returns the count. */
    note(text: string): number {
      const plain = text.toLowerCase().replace(/\s+/g, ' ');
      if (plain.length < minLength) return 1;
      const key = hash('sha256', plain, 'base64url');
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
  };
}

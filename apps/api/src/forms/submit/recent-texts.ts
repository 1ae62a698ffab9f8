import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';

/** Shorter texts are alike by chance: "Please call me back." */
const minLength = 60;
/** How many different texts are remembered. */
const maxTexts = 10_000;
const day = 24 * 60 * 60 * 1_000;

export type RecentTexts = ReturnType<typeof createRecentTexts>;

/**
 * How often each text has come within a day of its first time. Kept in memory: almost every text
 * comes once, and nobody is kept out by what a restart forgets.
 */
export function createRecentTexts(clock: Clock) {
  const counts = new LRUCache<string, number>({
    max: maxTexts,
    ttl: day,
    noUpdateTTL: true,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  });

  return {
    /** Counts the text, whatever its case and blanks; gives how often it has come, this time included. */
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

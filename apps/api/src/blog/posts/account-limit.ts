import { LRUCache } from 'lru-cache';
import type { Taken } from '../../server/rate-limits.ts';
import type { Deps } from '../deps.ts';

const minute = 60_000;

/**
 * Requests of an account within a minute of the first one. In memory: storing a count would take
 * longer than the requests that it is for.
 */
export function createAccountLimit({ clock }: Pick<Deps, 'clock'>, maxPerMinute: number) {
  const windows = new LRUCache<string, { count: number; end: number }>({ max: 10_000 });
  return (userId: string): Taken => {
    const now = clock.monotonic();
    const window = windows.get(userId);
    if (!window || now >= window.end) {
      windows.set(userId, { count: 1, end: now + minute });
      return { allowed: true, count: 1 };
    }
    if (window.count >= maxPerMinute) {
      return { allowed: false, retryAfterSeconds: Math.ceil((window.end - now) / 1_000) };
    }
    window.count += 1;
    return { allowed: true, count: window.count };
  };
}

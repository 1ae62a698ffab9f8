import { minute } from '@app/contract/durations';
import type { Clock } from '../clock.ts';
import { createLruCache } from '../lru-cache.ts';

/**
 * Limits the total amount per key within a minute of the first one. In memory, because storing
 * amounts would take longer than the requests that it limits.
 */
export function createMinuteLimit({ clock }: { clock: Clock }, max: number) {
  const windows = createLruCache<{ amount: number; end: number }>(10_000);
  return {
    /** Counts the amount unless it would exceed the limit. @returns 0, or the seconds to wait */
    take(key: string, amount: number): number {
      const now = clock.monotonic();
      const known = windows.get(key);
      const window = known && now < known.end ? known : { amount: 0, end: now + minute };
      if (window.amount + amount > max) return Math.ceil((window.end - now) / 1_000);
      windows.set(key, { ...window, amount: window.amount + amount });
      return 0;
    },
  };
}

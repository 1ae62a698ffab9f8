import type { Clock } from '../../clock.ts';
import { createLruCache } from '../../lru-cache.ts';
import {
  type Count,
  type Counter,
  type Counts,
  keyOf,
  type RateLimit,
  type Step,
  type TakenSteps,
  takeSteps,
} from './rate-limits.ts';

/** Each server counts the same clients separately. */
const stricter = (limit: RateLimit): RateLimit => ({
  ...limit,
  max: Math.max(Math.floor(limit.max / 3), 1),
});

const maxCounters = 10_000;

/** Limits of this server while Redis cannot be used: a third of each limit, but at least one. */
export function createMemoryLimits({ clock }: { clock: Pick<Clock, 'monotonic'> }) {
  const windows = createLruCache<Count>(maxCounters);

  const counts: Counts = {
    now: () => clock.monotonic(),
    find: (counter) => windows.get(keyOf(counter)),
    store(counter, count) {
      windows.set(keyOf(counter), count);
    },
  };

  return {
    takeSteps: (steps: readonly Step[]): TakenSteps =>
      takeSteps(
        counts,
        steps.map((step) => step.map(([limit, key]) => [stricter(limit), key] as const)),
      ),

    untake(counter: Counter): void {
      const known = windows.get(keyOf(counter));
      if (known) counts.store(counter, { ...known, count: known.count - 1 });
    },

    forget(counter: Counter): void {
      windows.delete(keyOf(counter));
    },
  };
}

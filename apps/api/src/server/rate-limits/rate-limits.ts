import { hash } from 'node:crypto';
import type { Transaction } from '@app/db/open';

export interface RateLimit {
  /** Prefix of its keys. */
  name: string;
  /** Requests per key within `milliseconds` of the first one. */
  max: number;
  milliseconds: number;
}

export type Taken =
  /** `count` includes this request. */
  { allowed: true; count: number } | { allowed: false; retryAfterSeconds: number };

export type Counter = readonly [limit: RateLimit, key: string];

/** Hashed, because keys are email and IP addresses and may have any length. */
export const keyOf = ([{ name }, key]: Counter): string =>
  `${name}:${hash('sha256', key, 'base64url')}`;

/** Counters that either all count a request or none. */
export type Step = readonly Counter[];

export type TakenSteps =
  /** `count` is that of the last counter. */
  | { allowed: true; count: number }
  /** `step` is the index of the one that refused. */
  | { allowed: false; retryAfterSeconds: number; step: number };

export type TakeIn = (tx: Transaction) => Taken;

/** Shared by all servers that share a database. */
export interface RateLimits {
  /** Counts a request unless the limit is reached. */
  take(limit: RateLimit, key: string): Promise<Taken>;

  /** For reads: allowed without counting or waiting while the database is not writable. */
  takeForRead(limit: RateLimit, key: string): Promise<Taken>;

  /** Counts a request in one step after the other, until one refuses it. */
  takeSteps(steps: readonly Step[]): Promise<TakenSteps>;

  /**
   * For requests that count only if a transaction commits and has called `take`.
   * @param transact runs the transaction
   */
  takeInTransaction<T>(
    limit: RateLimit,
    key: string,
    transact: (take: TakeIn) => Promise<T>,
  ): Promise<T>;

  forget(limit: RateLimit, key: string): Promise<void>;
}

export interface Count {
  count: number;
  /** When its window ends, in milliseconds. */
  end: number;
}

export interface Counts {
  now(): number;
  /** May return a count whose window has ended. */
  find(counter: Counter): Count | undefined;
  store(counter: Counter, count: Count): void;
}

/** The algorithm of all rate limits. */
export function takeSteps(counts: Counts, steps: readonly Step[]): TakenSteps {
  const now = counts.now();
  let last = 0;
  for (const [index, step] of steps.entries()) {
    const known = step.map((counter) => ({ counter, found: findCurrent(counts, counter, now) }));
    for (const { counter, found } of known) {
      if (found && found.count >= counter[0].max) {
        const retryAfterSeconds = Math.ceil((found.end - now) / 1_000);
        return { allowed: false, retryAfterSeconds, step: index };
      }
    }
    for (const { counter, found } of known) {
      last = (found?.count ?? 0) + 1;
      counts.store(counter, { count: last, end: found?.end ?? now + counter[0].milliseconds });
    }
  }
  return { allowed: true, count: last };
}

function findCurrent(counts: Counts, counter: Counter, now: number): Count | undefined {
  const found = counts.find(counter);
  const left = (found?.end ?? now) - now;
  // A longer window was stored while the clock was ahead.
  return left > 0 && left <= counter[0].milliseconds ? found : undefined;
}

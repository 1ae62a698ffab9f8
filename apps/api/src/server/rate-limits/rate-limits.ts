import { hash } from 'node:crypto';
import { day } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { Database, Transaction } from '@app/db/open';
import { placeholders } from '@app/db/placeholders';
import { preparedStatements } from '@app/db/prepared-statements';
import { rateLimits } from '@app/db/schema/server';
import { sharedCommit } from '@app/db/shared-commit';
import { isTransient, storageFailureOf } from '@app/db/storage-failure';
import { eq, notBetween, sql } from 'drizzle-orm';
import type { Clock } from '../../clock.ts';

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

type Counter = readonly [limit: RateLimit, key: string];

/** Counters that either all count a request or none. */
export type Step = readonly Counter[];

export type TakenSteps =
  /** `count` is that of the last counter. */
  | { allowed: true; count: number }
  /** `step` is the index of the one that refused. */
  | { allowed: false; retryAfterSeconds: number; step: number };

/** Hashed, because keys are email and IP addresses and may have any length. */
const keyOf = ([{ name }, key]: Counter): string => `${name}:${hash('sha256', key, 'base64url')}`;

const statementsOf = preparedStatements((db) => ({
  find: db
    .select({ count: rateLimits.count, expiresAt: rateLimits.expiresAt })
    .from(rateLimits)
    .where(eq(rateLimits.key, sql.placeholder('key')))
    .prepare(),
  store: db
    .insert(rateLimits)
    .values(placeholders(rateLimits))
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { count: sql`excluded.count`, expiresAt: sql`excluded.expires_at` },
    })
    .prepare(),
}));

interface Parts {
  db: Database;
  clock: Clock;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Counts requests in the database, for all servers that share it. */
export function createRateLimits({ db, clock }: Parts) {
  const statements = statementsOf(db);

  /** Undefined if its window has ended. */
  function findCurrent(counter: Counter, now: number) {
    const row = statements.find.get({ key: keyOf(counter) });
    const end = row?.expiresAt ?? now;
    // A longer window was stored while the clock was ahead.
    const isCurrent = end > now && end - now <= counter[0].milliseconds;
    return row && isCurrent ? { count: row.count, end } : undefined;
  }

  function countSteps(steps: readonly Step[]): TakenSteps {
    const now = clock.now();
    let last = 0;
    for (const [index, step] of steps.entries()) {
      const known = step.map((counter) => ({ counter, found: findCurrent(counter, now) }));
      for (const { counter, found } of known) {
        if (found && found.count >= counter[0].max) {
          const retryAfterSeconds = Math.ceil((found.end - now) / 1_000);
          return { allowed: false, retryAfterSeconds, step: index };
        }
      }
      for (const { counter, found } of known) {
        last = (found?.count ?? 0) + 1;
        const expiresAt = found?.end ?? now + counter[0].milliseconds;
        statements.store.run({ key: keyOf(counter), count: last, expiresAt });
      }
    }
    return { allowed: true, count: last };
  }

  const countOne = (limit: RateLimit, key: string): Taken => countSteps([[[limit, key]]]);

  return {
    /** Counts a request unless the limit is reached. */
    take: (limit: RateLimit, key: string): Promise<Taken> =>
      sharedCommit(db, () => countOne(limit, key)),

    /** For reads: allowed without counting or waiting while the database is not writable. */
    async takeForRead(limit: RateLimit, key: string): Promise<Taken> {
      try {
        return db.transaction(() => countOne(limit, key), { behavior: 'immediate' });
      } catch (error) {
        if (isTransient(storageFailureOf(error))) return { allowed: true, count: 0 };
        throw error;
      }
    },

    /** Counts a request in one step after the other, until one refuses it. */
    takeSteps: (steps: readonly Step[]): Promise<TakenSteps> =>
      sharedCommit(db, () => countSteps(steps)),

    /** For a request that counts only if its transaction commits. */
    takeIn: (_tx: Transaction, limit: RateLimit, key: string): Taken => countOne(limit, key),

    async forget(limit: RateLimit, key: string): Promise<void> {
      const isCounter = eq(rateLimits.key, keyOf([limit, key]));
      await sharedCommit(db, (tx) => tx.delete(rateLimits).where(isCounter).run());
    },
  };
}

/** In milliseconds. */
const longestLimit = day;

/** Deletes expired limits, and those stored while the clock was ahead. */
export async function deleteExpiredLimits({ db, clock }: Parts): Promise<void> {
  const now = clock.now();
  await deleteInBatches(
    db,
    rateLimits,
    notBetween(rateLimits.expiresAt, now + 1, now + longestLimit),
  );
}

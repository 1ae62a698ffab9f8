import { day } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import { placeholders } from '@app/db/placeholders';
import { preparedStatements } from '@app/db/prepared-statements';
import { rateLimits } from '@app/db/schema/server';
import { sharedCommit } from '@app/db/shared-commit';
import { isTransient, storageFailureOf } from '@app/db/storage-failure';
import { eq, notBetween, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import {
  type Counts,
  keyOf,
  type RateLimit,
  type RateLimits,
  type Step,
  type Taken,
  type TakenSteps,
  takeSteps,
} from './rate-limits.ts';

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

export function createDatabaseLimits({ db, clock }: Pick<Deps, 'db' | 'clock'>): RateLimits {
  const statements = statementsOf(db);

  const counts: Counts = {
    now: () => clock.now(),
    find(counter) {
      const row = statements.find.get({ key: keyOf(counter) });
      return row && { count: row.count, end: row.expiresAt ?? 0 };
    },
    store(counter, { count, end }) {
      statements.store.run({ key: keyOf(counter), count, expiresAt: end });
    },
  };
  const takeOne = (limit: RateLimit, key: string): Taken => takeSteps(counts, [[[limit, key]]]);

  return {
    take: (limit, key) => sharedCommit(db, () => takeOne(limit, key)),

    async takeForRead(limit, key) {
      try {
        return db.transaction(() => takeOne(limit, key), { behavior: 'immediate' });
      } catch (error) {
        if (isTransient(storageFailureOf(error))) return { allowed: true, count: 0 };
        throw error;
      }
    },

    takeSteps: (steps: readonly Step[]): Promise<TakenSteps> =>
      sharedCommit(db, () => takeSteps(counts, steps)),

    takeInTransaction: (limit, key, transact) => transact(() => takeOne(limit, key)),

    async forget(limit, key) {
      await sharedCommit(db, (tx) =>
        tx
          .delete(rateLimits)
          .where(eq(rateLimits.key, keyOf([limit, key])))
          .run(),
      );
    },
  };
}

/** In milliseconds. */
const longestLimit = day;

/** Deletes expired limits, and those stored while the clock was ahead. */
export async function deleteExpiredLimits({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await deleteInBatches(
    db,
    rateLimits,
    notBetween(rateLimits.expiresAt, now + 1, now + longestLimit),
  );
}

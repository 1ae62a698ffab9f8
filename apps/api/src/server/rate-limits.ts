import { messages } from '@app/contract/messages';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { Transaction } from '@app/db/open';
import { placeholders } from '@app/db/placeholders';
import { preparedStatements } from '@app/db/prepared-statements';
import { rateLimits } from '@app/db/schema/server';
import { sharedCommit } from '@app/db/shared-commit';
import { isPassing, storageFailureOf } from '@app/db/storage-failure';
import { eq, notBetween, sql } from 'drizzle-orm';
import { createMiddleware } from 'hono/factory';
import { clientAddress } from './client-address.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Deps } from './deps.ts';
import { describeMiddleware } from './describe-endpoint.ts';
import { problem } from './problem.ts';

interface Options {
  /** Prefix of its keys. */
  name: string;
  /** Requests per key within `seconds` of the first one. */
  max: number;
  seconds: number;
}

export type Taken =
  /** `count` includes this request. */
  { allowed: true; count: number } | { allowed: false; retryAfterSeconds: number };

export type RateLimit = ReturnType<typeof createRateLimit>;

/** Shared by all limits. */
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

/** A persistent rate limit, counted in the caller's transaction or with `countRequest`. */
export function createRateLimit(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { name, max, seconds }: Options,
) {
  const window = seconds * 1_000;
  const { find, store } = statementsOf(db);
  const rowKey = (key: string): string => `${name}:${key}`;

  return {
    /** Counts a request unless the limit is reached. */
    take(_tx: Transaction, key: string): Taken {
      const now = clock.now();
      const row = find.get({ key: rowKey(key) });
      const left = (row?.expiresAt ?? 0) - now;
      // A longer window was stored while the clock was ahead.
      if (!row || left <= 0 || left > window) {
        store.run({ key: rowKey(key), count: 1, expiresAt: now + window });
        return { allowed: true, count: 1 };
      }
      if (row.count >= max) return { allowed: false, retryAfterSeconds: Math.ceil(left / 1_000) };
      const count = row.count + 1;
      store.run({ key: rowKey(key), count, expiresAt: row.expiresAt });
      return { allowed: true, count };
    },

    forget(tx: Transaction, key: string): void {
      tx.delete(rateLimits)
        .where(eq(rateLimits.key, rowKey(key)))
        .run();
    },
  };
}

/** Counts a request in its own transaction. */
export const countRequest = ({ db }: Pick<Deps, 'db'>, limit: RateLimit, key: string) =>
  sharedCommit(db, (tx) => limit.take(tx, key));

/** Counts a request by its client's address; see `clientAddress` for those that are not counted. */
export async function countClientRequest(
  c: AppContext,
  deps: Pick<Deps, 'db' | 'settings'>,
  limit: RateLimit,
): Promise<Taken> {
  const address = clientAddress(c, deps);
  return address === null ? { allowed: true, count: 0 } : countRequest(deps, limit, address);
}

/** For reads: allowed without counting or waiting while the database is not writable. */
export function countReadRequest({ db }: Pick<Deps, 'db'>, limit: RateLimit, key: string): Taken {
  try {
    return db.transaction((tx) => limit.take(tx, key), { behavior: 'immediate' });
  } catch (error) {
    if (isPassing(storageFailureOf(error))) return { allowed: true, count: 0 };
    throw error;
  }
}

/** In milliseconds. */
const longestLimit = 24 * 60 * 60 * 1_000;

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

export const limitByClient = (deps: Pick<Deps, 'db' | 'settings'>, limit: RateLimit) =>
  describeMiddleware(
    createMiddleware<AppEnv>(async (c, next) => {
      const taken = await countClientRequest(c, deps, limit);
      return taken.allowed ? next() : tooManyRequests(c, taken.retryAfterSeconds);
    }),
    { problems: ['too_many_requests'] },
  );

/** RFC 6585 §4, RFC 9110 §10.2.3. @param notice on the form's page, instead of the code's */
export const tooManyRequests = (
  c: AppContext,
  retryAfterSeconds: number,
  detail: string = messages.submissions.tooMany(retryAfterSeconds),
  notice?: string,
): Response =>
  problem(c, 'too_many_requests', detail, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    ...(notice && { notice }),
  });

import { messages } from '@app/contract/messages';
import type { Database } from '@app/db/open';
import { isPassing, storageFailureOf } from '@app/db/storage-failure';
import { runUnflushed, unflushed } from '@app/db/unflushed';
import { whenUnlocked } from '@app/db/write-transaction';
import { RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible';
import type { Deps } from '../deps.ts';
import { clientAddress } from './client-address.ts';
import type { AppContext } from './context.ts';
import { problem } from './problem.ts';

interface Options {
  /** Stands before its keys in the table that all limits share. */
  name: string;
  /** How many are taken of one key in that many seconds, counted from its first. */
  most: number;
  seconds: number;
  /**
   * Whether it counts requests that change nothing: those are let through while the database
   * cannot be written, without waiting. Default: false.
   */
  countsReads?: boolean;
}

export type Taken =
  /** `count` is how many it were with this one. */
  { allowed: true; count: number } | { allowed: false; retryAfterSeconds: number };

export interface RateLimit {
  /** Counts one more of a key, and says whether that was one too many. */
  take(key: string): Promise<Taken>;
  /** Begins again with a key, as if nothing had been taken of it. */
  forget(key: string): Promise<void>;
}

/**
 * A limit that a restart does not reset, with rate-limiter-flexible. Once a key has used it up,
 * the rest of a flood is refused from memory and writes nothing. The library reads the system's
 * time, not the app's clock.
 */
export function createRateLimit(
  db: Database,
  { name, most, seconds, countsReads = false }: Options,
): RateLimit {
  const limiter = new RateLimiterSQLite({
    storeClient: withoutFlushing(db, countsReads),
    storeType: 'better-sqlite3',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points: most,
    duration: seconds,
    inMemoryBlockOnConsumed: most,
    // Its own clean-up ends the process when the database cannot be written; the sweep does it.
    clearExpiredByTimeout: false,
  });
  async function take(key: string): Promise<Taken> {
    try {
      const { consumedPoints, msBeforeNext } = await limiter.consume(key);
      return isTooLong(msBeforeNext)
        ? await beginAgain(key)
        : { allowed: true, count: consumedPoints };
    } catch (refusal) {
      if (countsReads && isPassing(storageFailureOf(refusal))) return { allowed: true, count: 0 };
      // What it refuses with is no error; a database that fails is one.
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      if (isTooLong(refusal.msBeforeNext)) return beginAgain(key);
      return { allowed: false, retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1_000) };
    }
  }

  /** No rule counts for longer than it says: the clock was ahead when that was written. */
  const isTooLong = (milliseconds: number): boolean => milliseconds > (seconds + 1) * 1_000;

  async function beginAgain(key: string): Promise<Taken> {
    await forget(key);
    return take(key);
  }

  const forget = async (key: string): Promise<void> => {
    await whenUnlocked(() => limiter.delete(key));
  };

  return { take, forget };
}

/**
 * The limiter's view of the database. Its commits are not flushed to the disk, which would take
 * as long as storing what is counted, and takes that come together share one. The library
 * compiles its few statements at every call; here each is compiled once.
 */
function withoutFlushing(db: Database, countsReads: boolean) {
  const prepare = (text: string) => {
    const statement = db.$client.prepare(text);
    return {
      get: (...values: unknown[]) => statement.get(...values),
      run: (...values: unknown[]) => runUnflushed(db, () => statement.run(...values)),
    };
  };
  const statements = new Map<string, ReturnType<typeof prepare>>();
  return {
    prepare(text: string) {
      const statement = statements.get(text) ?? prepare(text);
      statements.set(text, statement);
      return statement;
    },
    // The library awaits what a transaction gives it.
    transaction:
      <T>(work: () => T) =>
      () =>
        countsReads
          ? runUnflushed(db, db.$client.transaction(work).immediate)
          : unflushed(db, work),
  };
}

/** Counts the request for its client's address: the refusal when that was one too many. */
export async function refuseTooMany(
  c: AppContext,
  deps: Pick<Deps, 'settings'>,
  limit: RateLimit,
): Promise<Response | null> {
  const address = clientAddress(c, deps);
  const taken = address === null ? null : await limit.take(address);
  return taken?.allowed === false ? tooManyRequests(c, taken.retryAfterSeconds) : null;
}

/**
 * 429 with Retry-After (RFC 6585 §4, RFC 9110 §10.2.3).
 * @param notice of the form's page, where it has one of its own for this
 */
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

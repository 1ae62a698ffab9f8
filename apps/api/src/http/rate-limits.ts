import { messages } from '@app/contract/messages';
import type { Database } from '@app/db/open';
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
}

export type Taken =
  /** `count` is how many it were with this one. */
  { allowed: true; count: number } | { allowed: false; retryAfterSeconds: number };

export interface RateLimit {
  /** Counts one more of a key, and says whether that was one too many. */
  take(key: string): Promise<Taken>;
}

/**
 * A limit that a restart does not reset, with rate-limiter-flexible. Once a key has used it up,
 * the rest of a flood is refused from memory and writes nothing. The library reads the system's
 * time, not the app's clock.
 */
export function createRateLimit(db: Database, { name, most, seconds }: Options): RateLimit {
  const limiter = new RateLimiterSQLite({
    storeClient: withoutFlushing(db),
    storeType: 'better-sqlite3',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points: most,
    duration: seconds,
    inMemoryBlockOnConsumed: most,
  });
  return {
    async take(key) {
      try {
        const { consumedPoints } = await limiter.consume(key);
        return { allowed: true, count: consumedPoints };
      } catch (refusal) {
        // What it refuses with is no error; a database that fails is one.
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { allowed: false, retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1_000) };
      }
    },
  };
}

/**
 * The limiter's view of the database: its commits are not flushed to the disk one by one, which
 * would take as long as storing what is counted. A killed process loses no count, a power cut
 * may lose the last ones (sqlite.org/pragma.html#pragma_synchronous).
 */
const withoutFlushing = ({ $client: client }: Database) => ({
  prepare: (statement: string) => client.prepare(statement),
  transaction: <T>(work: () => T) => {
    const commit = client.transaction(work);
    // Nothing else runs in between: all of it is synchronous.
    return (): T => {
      client.pragma('synchronous = NORMAL');
      try {
        return commit();
      } finally {
        client.pragma('synchronous = FULL');
      }
    };
  },
});

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

/** 429 with Retry-After (RFC 6585 §4, RFC 9110 §10.2.3). */
export const tooManyRequests = (c: AppContext, retryAfterSeconds: number): Response =>
  problem(c, 'too_many_requests', messages.submissions.tooMany(retryAfterSeconds), {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

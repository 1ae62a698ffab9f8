import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from './open.ts';
import { remoteWritesOf } from './remote-writes.ts';
import { isTransient, storageFailureOf } from './storage-failure.ts';
import { timed } from './time-spent.ts';

/** In milliseconds. */
const maxWait = 2_000;
const firstDelay = 10;
const maxDelay = 100;

/**
 * Runs synchronous work in a transaction that holds the write lock from the start, so its reads
 * still hold at commit.
 * @param work must not be async: better-sqlite3 commits when it returns
 * @throws SQLITE_BUSY if another process holds the lock for more than 2 s
 */
export const writeTransaction = <T>(db: Database, work: (tx: Transaction) => T): Promise<T> =>
  timed('database', () => whenUnlocked(db, () => db.transaction(work, { behavior: 'immediate' })));

/**
 * Retries a write while another process holds the lock, because SQLite's busy timeout would block
 * the event loop. Resolves when the write can be read.
 * @param write synchronous; takes the lock with its first statement, so that a failure changes
 * nothing
 * @throws SQLITE_BUSY after 2 s
 */
export async function whenUnlocked<T>(db: Database, write: () => T): Promise<T> {
  const remote = remoteWritesOf(db);
  const result = await retryWhileBusy(remote ? () => remote.withLock(write) : write);
  await remote?.caughtUp();
  return result;
}

/**
 * Resolves when this process can read what it has written, for writes outside of the functions
 * above: at once, unless the database is on another machine.
 * @returns false if that takes too long
 */
export const caughtUp = async (db: Database): Promise<boolean> =>
  (await remoteWritesOf(db)?.caughtUp()) ?? true;

/**
 * Finds what this process may have just written. If it is missing on a replica that stays behind
 * the writes of this process, looks for it on the primary.
 * @param find synchronous; undefined if it is missing
 */
export async function findWritten<T>(
  db: Database,
  find: () => T | undefined,
): Promise<T | undefined> {
  const found = find();
  const remote = remoteWritesOf(db);
  if (found !== undefined || !remote || remote.isCaughtUp()) return found;
  if (await remote.caughtUp()) return find();
  try {
    return await remote.withLock(find);
  } catch (error) {
    if (isTransient(storageFailureOf(error))) return undefined;
    throw error;
  }
}

/**
 * Reads what any server may have just written, for a request that depends on it. Reads from the
 * primary if the replica is behind.
 * @param read synchronous
 * @param isCurrent whether it is as new as the request
 * @throws what a write would, if the primary does not answer
 */
export async function readCurrent<T>(
  db: Database,
  read: () => T,
  isCurrent: (found: T) => boolean,
): Promise<T> {
  const found = read();
  const remote = remoteWritesOf(db);
  return !remote || isCurrent(found) ? found : retryWhileBusy(() => remote.withLock(read));
}

async function retryWhileBusy<T>(write: () => T | Promise<T>): Promise<T> {
  // The sum of the pauses. With a clock, a machine that stalls would skip attempts.
  let waited = 0;
  for (let delay = firstDelay; ; delay = Math.min(delay * 2, maxDelay)) {
    try {
      return await write();
    } catch (error) {
      if (storageFailureOf(error) !== 'busy' || waited >= maxWait) throw error;
    }
    waited += delay;
    // Jitter.
    await setTimeout(delay * (0.5 + Math.random()));
  }
}

/** For side effects of reads. Skips the write while the database is not writable. */
export function writeIfPossible(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (!isTransient(storageFailureOf(error))) throw error;
  }
}

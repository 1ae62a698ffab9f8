import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from './open.ts';
import { isPassing, storageFailureOf } from './storage-failure.ts';

/** How long a write waits for another process to release SQLite's write lock, in milliseconds. */
const maxWait = 2_000;
const firstDelay = 10;
const maxDelay = 100;

/**
 * Runs synchronous work in a transaction that holds the write lock from its beginning: what it
 * reads still holds when it commits. Every write of the server begins here, in `sharedCommit`, or
 * in `whenUnlocked`.
 * @param work must not be async: better-sqlite3 commits when it returns
 * @throws SQLITE_BUSY when another process holds the lock for more than 2 s
 */
export const writeTransaction = <T>(db: Database, work: (tx: Transaction) => T): Promise<T> =>
  whenUnlocked(() => db.transaction(work, { behavior: 'immediate' }));

/**
 * Tries a write again while another process holds the write lock. SQLite's own busy timeout
 * would block the event loop meanwhile, and with it all requests that only read.
 * @param write takes the lock with its first statement, so that nothing is done when it fails
 * @throws SQLITE_BUSY after 2 s
 */
export async function whenUnlocked<T>(write: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + maxWait;
  for (let delay = firstDelay; ; delay = Math.min(delay * 2, maxDelay)) {
    try {
      return await write();
    } catch (error) {
      if (storageFailureOf(error) !== 'busy' || performance.now() >= deadline) throw error;
    }
    // Jitter: those who wait do not come back together.
    await setTimeout(delay * (0.5 + Math.random()));
  }
}

/**
 * Runs a write that is a side effect of a read, such as when a session was last seen. The read
 * neither fails nor waits while the database cannot be written.
 */
export function writeIfPossible(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (!isPassing(storageFailureOf(error))) throw error;
  }
}

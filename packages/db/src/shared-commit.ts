import type { Database, Transaction } from './open.ts';
import { timed } from './time-spent.ts';
import { writeTransaction } from './write-transaction.ts';

interface Write {
  work(tx: Transaction): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How long the first write of a group waits for others, in milliseconds. */
const maxWait = 5;
/**
 * How long the statements of a group can take, in milliseconds. They block this process and, on a
 * server, all other writers.
 */
const maxDuration = 50;

const groups = new WeakMap<Database, Write[]>();

/**
 * Runs synchronous work in a transaction shared with concurrent writes, so that they share a flush
 * to disk. Each has its own savepoint. Resolves after the commit.
 *
 * For requests that many visitors send at once; use `writeTransaction` for everything else.
 */
export const sharedCommit = <T>(db: Database, work: (tx: Transaction) => T): Promise<T> =>
  timed('database', () => joinGroup(db, work));

function joinGroup<T>(db: Database, work: (tx: Transaction) => T): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const group = groups.get(db) ?? [];
  groups.set(db, group);
  group.push({ work, resolve, reject });
  if (group.length === 1) commitWhenGathered(db, group, performance.now() + maxWait);
  return promise as Promise<T>;
}

/** A turn of the event loop accepts one connection: a group is complete if a turn adds nothing. */
function commitWhenGathered(db: Database, group: Write[], deadline: number, size = 0): void {
  setImmediate(() => {
    if (group.length > size && performance.now() < deadline) {
      commitWhenGathered(db, group, deadline, group.length);
      return;
    }
    groups.delete(db);
    void commit(db, group);
  });
}

async function commit(db: Database, group: readonly Write[]): Promise<void> {
  let results: (() => void)[] = [];
  let isBegun = false;
  try {
    await writeTransaction(db, (tx) => {
      isBegun = true;
      results = [];
      const deadline = performance.now() + maxDuration;
      for (const { work, resolve, reject } of group) {
        if (results.length > 0 && performance.now() > deadline) break;
        try {
          const result = group.length === 1 ? work(tx) : db.$client.transaction(work)(tx);
          results.push(() => resolve(result));
        } catch (error) {
          if (group.length === 1 || !db.$client.inTransaction) throw error;
          results.push(() => reject(error));
        }
      }
    });
  } catch (error) {
    // Some errors, such as a full disk, end the whole transaction: each write is then tried alone.
    if (!isBegun || group.length === 1) for (const { reject } of group) reject(error);
    else for (const write of group) await commit(db, [write]);
    return;
  }
  for (const settle of results) settle();
  const others = group.slice(results.length);
  if (others.length > 0) await commit(db, others);
}

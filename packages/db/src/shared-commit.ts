import type { Database, Transaction } from './open.ts';
import { writeTransaction } from './write-transaction.ts';

interface Write {
  work(tx: Transaction): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How long the first write of a group waits while others keep coming, in milliseconds. */
const maxWait = 5;

const groups = new WeakMap<Database, Write[]>();

/**
 * Runs synchronous work in a transaction that it shares with other writes of the same moment, so
 * that fifty messages wait for the disk once. Each has a savepoint of its own: one that throws is
 * rolled back alone. It resolves when the commit is on the disk.
 *
 * For what many visitors send at the same time; everything else is a plain `writeTransaction`.
 */
export function sharedCommit<T>(db: Database, work: (tx: Transaction) => T): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const group = groups.get(db) ?? [];
  groups.set(db, group);
  group.push({ work, resolve, reject });
  if (group.length === 1) commitWhenGathered(db, group, performance.now() + maxWait);
  return promise as Promise<T>;
}

/** Node accepts one connection a turn of the event loop: a group is complete when a turn brings no more. */
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
      results = group.map(({ work, resolve, reject }) => {
        try {
          const result = group.length === 1 ? work(tx) : tx.transaction(work);
          return () => resolve(result);
        } catch (error) {
          if (group.length === 1 || !db.$client.inTransaction) throw error;
          return () => reject(error);
        }
      });
    });
  } catch (error) {
    // A full disk, for one, ends the whole transaction: alone, each write gets its own outcome.
    if (!isBegun || group.length === 1) for (const { reject } of group) reject(error);
    else for (const write of group) await commit(db, [write]);
    return;
  }
  for (const settle of results) settle();
}

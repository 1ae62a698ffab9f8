import type { Database, Transaction } from './open.ts';
import { writeTransaction } from './write-transaction.ts';

/** A call that waits for its turn. */
interface Waiting {
  work(tx: Transaction): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How long the first call of a group waits for others at most, in milliseconds, while they keep coming. */
const maxWait = 5;

const groups = new WeakMap<Database, Waiting[]>();

/**
 * Runs synchronous work in a transaction whose commit it shares with the calls that come together
 * with it: a commit waits for the disk, and fifty messages wait for it once. Each call has a
 * savepoint of its own, so one that throws takes nothing else with it. None learns of its result
 * before it is on the disk.
 *
 * For what many strangers write at once; everything else is a plain `writeTransaction`.
 */
export function sharedCommit<T>(db: Database, work: (tx: Transaction) => T): Promise<T> {
  return new Promise<unknown>((resolve, reject) => {
    const call = { work, resolve, reject };
    const group = groups.get(db);
    if (group) {
      group.push(call);
      return;
    }
    const ownGroup = [call];
    groups.set(db, ownGroup);
    gather(db, ownGroup);
  }) as Promise<T>;
}

/**
 * Commits the group after a turn of the event loop in which no further call came. Node accepts one
 * new connection a turn: a commit in each turn would let fifty visitors in by fifty flushes.
 */
function gather(db: Database, group: readonly Waiting[]): void {
  const began = performance.now();
  let known = 0;
  const look = () => {
    if (group.length > known && performance.now() - began < maxWait) {
      known = group.length;
      setImmediate(look);
      return;
    }
    groups.delete(db);
    void commit(db, group);
  };
  setImmediate(look);
}

async function commit(db: Database, group: readonly Waiting[]): Promise<void> {
  const outcomes: (() => void)[] = [];
  let isBegun = false;
  try {
    await writeTransaction(db, (tx) => {
      isBegun = true;
      for (const { work, resolve, reject } of group) {
        try {
          const result = group.length === 1 ? work(tx) : tx.transaction(work);
          outcomes.push(() => resolve(result));
        } catch (error) {
          if (group.length === 1 || !db.$client.inTransaction) throw error;
          outcomes.push(() => reject(error));
        }
      }
    });
  } catch (error) {
    // An error such as a full disk ends the whole transaction: whose it was shows one by one.
    if (isBegun && group.length > 1) for (const call of group) await commit(db, [call]);
    else for (const { reject } of group) reject(error);
    return;
  }
  for (const settle of outcomes) settle();
}

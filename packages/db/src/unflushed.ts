import type { Database } from './open.ts';
import { whenUnlocked } from './write-transaction.ts';

/** One call of `unflushed` that waits for its turn. */
interface Waiting {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const groups = new WeakMap<Database, Waiting[]>();

/** Runs synchronous work, which is in no transaction, without waiting for the disk; see `unflushed`. */
export function runUnflushed<T>({ $client: client }: Database, work: () => T): T {
  client.pragma('synchronous = NORMAL');
  try {
    return work();
  } finally {
    client.pragma('synchronous = FULL');
  }
}

/**
 * Runs synchronous work in a transaction whose commit does not wait for the disk: a killed
 * process loses nothing of it, a power cut may lose the last of it
 * (sqlite.org/pragma.html#pragma_synchronous). For what may be lost, such as counters.
 *
 * Calls that come together share one transaction, in the order they came; where one fails,
 * all of them do.
 */
export function unflushed<T>(db: Database, work: () => T): Promise<T> {
  return new Promise<unknown>((resolve, reject) => {
    const call = { work, resolve, reject };
    const group = groups.get(db);
    if (group) {
      group.push(call);
      return;
    }
    const ownGroup = [call];
    groups.set(db, ownGroup);
    // After everything that this turn of the event loop has read.
    setImmediate(() => {
      groups.delete(db);
      void commit(db, ownGroup);
    });
  }) as Promise<T>;
}

async function commit(db: Database, group: readonly Waiting[]): Promise<void> {
  const outcomes: (() => void)[] = [];
  const workAll = db.$client.transaction(() => {
    for (const { work, resolve } of group) {
      const result = work();
      outcomes.push(() => resolve(result));
    }
  });
  try {
    // Nothing else runs in between: all of it is synchronous.
    await whenUnlocked(() => runUnflushed(db, workAll.immediate));
  } catch (error) {
    for (const { reject } of group) reject(error);
    return;
  }
  for (const tell of outcomes) tell();
}

import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { Database } from './open.ts';

type Statement = BatchItem<'sqlite'>;

/** What every Drizzle statement can do, though its published types keep it back. */
interface Preparable {
  _prepare(): { execute(): { sync(): unknown } };
}

/** One call of `atomic` that waits for its turn. */
interface Waiting {
  statements: readonly Statement[];
  resolve(results: unknown[]): void;
  reject(error: unknown): void;
}

/** How long the first call of a group waits for others at most, in milliseconds, while they keep coming. */
const patience = 5;

const groups = new WeakMap<Database, Waiting[]>();

/**
 * Runs the statements in one transaction, in order: all of them take effect, or
 * none does and the error is thrown. Gives each statement's rows (with
 * `returning`) or its run result.
 *
 * The one way to write several things that belong together. A list of
 * statements, not a callback: better-sqlite3 commits an async callback before it
 * is done (drizzle-orm issue 1472), and a libSQL server takes lists as they are.
 * What one statement must know of another, it asks in SQL.
 *
 * Calls that come together share one commit, for a commit waits for the disk: of
 * fifty requests at once the last one does not wait for fifty flushes. Where one of
 * them fails, each is tried again by itself, so that it takes nothing else with it.
 * None is told that it is done before all of it is on the disk.
 */
export function atomic<T extends Readonly<[Statement, ...Statement[]]>>(
  db: Database,
  statements: T,
): Promise<BatchResponse<T>> {
  return new Promise<unknown[]>((resolve, reject) => {
    const call = { statements, resolve, reject };
    const group = groups.get(db);
    if (group) {
      group.push(call);
      return;
    }
    const ownGroup = [call];
    groups.set(db, ownGroup);
    gather(db, ownGroup);
  }) as Promise<BatchResponse<T>>;
}

/**
 * Commits the group after a turn of the event loop that brought no further call. A commit holds
 * everything up, new connections most of all: Node accepts one of them a turn, so that a commit
 * in each turn would let fifty visitors in by fifty flushes.
 */
function gather(db: Database, group: readonly Waiting[]): void {
  const began = performance.now();
  let known = 0;
  const look = () => {
    if (group.length > known && performance.now() - began < patience) {
      known = group.length;
      setImmediate(look);
      return;
    }
    groups.delete(db);
    commit(db, group);
  };
  setImmediate(look);
}

function commit(db: Database, group: readonly Waiting[]): void {
  const outcomes: (() => void)[] = [];
  let isBegun = false;
  try {
    db.$client
      .transaction(() => {
        isBegun = true;
        for (const { statements, resolve } of group) {
          const results = statements.map(run);
          outcomes.push(() => resolve(results));
        }
      })
      // Takes the write lock at once: a later upgrade from reading could fail as busy.
      .immediate();
  } catch (error) {
    if (isBegun && group.length > 1) {
      for (const call of group) commit(db, [call]);
    } else {
      for (const { reject } of group) reject(error);
    }
    return;
  }
  for (const tell of outcomes) tell();
}

const run = (statement: Statement): unknown =>
  (statement as unknown as Preparable)._prepare().execute().sync();

import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { Database } from './open.ts';

type Statement = BatchItem<'sqlite'>;

/** What every Drizzle statement can do, though its published types keep it back. */
interface Preparable {
  _prepare(): { execute(): { sync(): unknown } };
}

/**
 * Runs the statements in one transaction, in order: all of them take effect, or
 * none does and the error is thrown. Gives each statement's rows (with
 * `returning`) or its run result.
 *
 * The one way to write several things that belong together. A list of
 * statements, not a callback: better-sqlite3 commits an async callback before it
 * is done (drizzle-orm issue 1472), and a libSQL server takes lists as they are.
 * What one statement must know of another, it asks in SQL.
 */
export async function atomic<T extends Readonly<[Statement, ...Statement[]]>>(
  db: Database,
  statements: T,
): Promise<BatchResponse<T>> {
  return db.transaction(
    () =>
      statements.map((statement) =>
        (statement as unknown as Preparable)._prepare().execute().sync(),
      ),
    // Takes the write lock at once: a later upgrade from reading could fail as busy.
    { behavior: 'immediate' },
  ) as BatchResponse<T>;
}

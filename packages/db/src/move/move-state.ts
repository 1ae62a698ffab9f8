import type SqliteClient from 'better-sqlite3';
import { and, eq, sql } from 'drizzle-orm';
import { databaseTime } from '../database-time.ts';
import type { Database } from '../open.ts';
import { databaseMoves } from '../schema/server.ts';
import { whenUnlocked, writeTransaction } from '../write-transaction.ts';
import { blockWrites, unblockWrites } from './blocked-writes.ts';

export interface Move {
  id: string;
  /**
   * `moving`: writes are refused until `blockedUntil`, in milliseconds since 1970. `moved`: writes
   * are refused for good. `incomplete`: a copy that cannot be used yet.
   */
  state: 'moving' | 'moved' | 'incomplete';
  /** The other database, for messages. */
  other: string;
  /** The number of email results that were stored while other writes were refused. */
  results: number;
}

/** Null without a move, and for a database of an earlier version. */
export function moveOf(client: SqliteClient.Database): Move | null {
  const hasTable = client
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'database_moves'")
    .get();
  if (hasTable === undefined) return null;
  const move = client
    .prepare<[], Move>('SELECT id, state, other, results FROM database_moves')
    .get();
  return move ?? null;
}

/** The message is for the operator. */
export class MoveInProgress extends Error {
  override name = 'MoveInProgress';
}

/**
 * After its commit, the database refuses all writes except the results of emails that are being
 * sent. This ends by itself, so that the database can be used again if the process is killed.
 * @throws {MoveInProgress}
 */
export const beginMove = (
  db: Database,
  { id, other, milliseconds }: { id: string; other: string; milliseconds: number },
): Promise<void> =>
  writeTransaction(db, (tx) => {
    const running = tx
      .select({ id: databaseMoves.id })
      .from(databaseMoves)
      .where(sql`${databaseMoves.blockedUntil} > ${databaseTime}`)
      .get();
    if (running)
      throw new MoveInProgress(
        'The database is being moved by another command, or one was killed in the last minute. Wait a minute.',
      );
    tx.delete(databaseMoves).run();
    const blockedUntil = sql`${databaseTime} + ${milliseconds}`;
    tx.insert(databaseMoves).values({ id, state: 'moving', other, blockedUntil }).run();
    blockWrites(db.$client);
  });

/**
 * After its commit, the database is no longer used.
 * @param move as it was before everything was copied
 * @returns false, without a change, if something was written since then, or the time is over
 */
export async function finishMove(db: Database, { id, results }: Move): Promise<boolean> {
  const isUnchanged = and(
    eq(databaseMoves.id, id),
    eq(databaseMoves.results, results),
    sql`${databaseMoves.blockedUntil} > ${databaseTime}`,
  );
  const { changes } = await whenUnlocked(db, () =>
    db.update(databaseMoves).set({ state: 'moved', blockedUntil: null }).where(isUnchanged).run(),
  );
  return changes === 1;
}

/** Cancels this move, or completes its copy: the database is used like one that was never moved. */
export const endMove = (db: Database, id: string): Promise<void> =>
  writeTransaction(db, (tx) => {
    const { changes } = tx.delete(databaseMoves).where(eq(databaseMoves.id, id)).run();
    if (changes > 0) unblockWrites(db.$client);
  });

/** Cleans up after a process that was killed during a move. */
export async function endExpiredMove(db: Database): Promise<void> {
  const expired = and(
    eq(databaseMoves.state, 'moving'),
    sql`${databaseMoves.blockedUntil} <= ${databaseTime}`,
  );
  const move = db.select({ id: databaseMoves.id }).from(databaseMoves).where(expired).get();
  if (move) await endMove(db, move.id);
}

/** Marks the destination of a copy that begins, or begins again. */
export const markIncomplete = (
  db: Database,
  { id, other }: Pick<Move, 'id' | 'other'>,
): Promise<void> =>
  writeTransaction(db, (tx) => {
    tx.delete(databaseMoves).run();
    tx.insert(databaseMoves).values({ id, state: 'incomplete', other }).run();
  });

import { day, second } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { publishLog } from '@app/db/schema/publishing';
import { asc, getTableName, gt, notBetween, sql } from 'drizzle-orm';
import { batchesOf } from '../batches.ts';
import type { Clock } from '../clock.ts';
import { exponentialBackoff } from '../exponential-backoff.ts';

/**
 * Name of a server secret, the id of the database. It changes when a backup is restored, so that
 * numbers of the log are not mistaken.
 */
export const databaseIdName = 'publish-log';

/** Stands for all paths: everything is rendered again. */
export const everything = '*';

/** Rows per statement. SQLite allows 32,766 parameters. */
const rowsAtOnce = 5_000;

/** Entries per read. */
const entriesAtOnce = 1_000;

export type LogEntry = typeof publishLog.$inferSelect;

/** A logged change. */
export interface Change {
  /** The newest entry. 0 if readers see no difference. */
  seq: number;
  /** The paths that the author waits for. */
  first: readonly string[];
}

/**
 * Appends paths whose files may change. Call it in the transaction that changes what readers see.
 * @param first those that the author waits for; by default all
 */
export function logChange(
  tx: DatabaseOrTransaction,
  now: number,
  paths: Iterable<string>,
  first?: readonly string[],
): Change {
  const all = [...new Set([...(first ?? []), ...paths])];
  let seq = 0;
  for (const batch of batchesOf(all, rowsAtOnce)) {
    const rows = batch.map((path) => ({ path, createdAt: now }));
    const added = tx.insert(publishLog).values(rows).returning({ seq: publishLog.seq }).all();
    seq = added.reduce((max, row) => Math.max(max, row.seq), seq);
  }
  return { seq, first: first ?? all };
}

/** Entries after `seq`, oldest first, in batches. */
export function* entriesAfter(db: Database, seq: number): Generator<LogEntry[]> {
  for (let after = seq; ; ) {
    const entries = db
      .select()
      .from(publishLog)
      .where(gt(publishLog.seq, after))
      .orderBy(asc(publishLog.seq))
      .limit(entriesAtOnce)
      .all();
    const last = entries.at(-1);
    if (!last) return;
    yield entries;
    after = last.seq;
  }
}

/** The newest entry ever appended, even if it was deleted. 0 if there has been none. */
export const newestSeq = (db: DatabaseOrTransaction): number =>
  db.get<{ seq: number } | undefined>(
    sql`SELECT seq FROM sqlite_sequence WHERE name = ${getTableName(publishLog)}`,
  )?.seq ?? 0;

/**
 * Whether the log has every entry after `seq`: numbers have no gaps, and the oldest entries are
 * deleted. False also if the log ends before, as after a copy of the database was put back.
 */
export function reachesBackTo(db: Database, seq: number): boolean {
  const newest = newestSeq(db);
  if (newest <= seq) return newest === seq;
  const [first] = db
    .select({ seq: publishLog.seq })
    .from(publishLog)
    .where(gt(publishLog.seq, seq))
    .orderBy(asc(publishLog.seq))
    .limit(1)
    .all();
  return first?.seq === seq + 1;
}

export interface LogDeps {
  db: Database;
  clock: Clock;
}

/**
 * Deletes entries older than a day, and those stored while the clock was ahead. A server that has
 * not read them renders everything again.
 */
export const deleteOldEntries = ({ db, clock }: LogDeps): Promise<void> =>
  deleteInBatches(
    db,
    publishLog,
    notBetween(publishLog.createdAt, clock.now() - day, clock.now() + day),
  );

/** Between retries, in milliseconds. */
export const maxDelay = 600 * second;

export const retryDelay = exponentialBackoff({ first: 10 * second, max: maxDelay });

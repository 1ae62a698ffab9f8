import SqliteClient, { type RunResult } from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';

export type Database = ReturnType<typeof open>;

/**
 * What `db.transaction((tx) => …, { behavior: 'immediate' })` passes on. A function that takes one
 * decides or writes something that has to hold at the moment of the commit.
 */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** For queries that are asked inside of transactions and outside. */
export type DatabaseOrTransaction = BaseSQLiteDatabase<'sync', RunResult, Record<string, never>>;

/** In milliseconds, for programs that serve no requests. */
const defaultBusyTimeout = 5_000;

interface Options {
  /**
   * How long a statement waits for another process that writes, in milliseconds. SQLite blocks
   * the thread meanwhile, so a server does not wait.
   */
  busyTimeout?: number;
  /** `OFF` for a test's database, which need not survive a power cut. */
  synchronous?: 'FULL' | 'OFF';
  /**
   * A commit that finds more pages of 4 kB in the write-ahead log copies them into the database
   * itself, and everything else waits. SQLite's default is 1,000.
   */
  autoCheckpoint?: number;
}

/**
 * Opens the database file, and creates it if it is missing; ':memory:' opens one without a file.
 *
 * WAL lets readers go on while one writes. `synchronous=FULL` flushes at each
 * commit: what was acknowledged survives a power cut. `secure_delete=FAST` overwrites what is
 * deleted or replaced, such as used links, in the pages that are written anyway
 * (sqlite.org/pragma.html).
 */
export function open(
  file: string,
  { busyTimeout = defaultBusyTimeout, synchronous = 'FULL', autoCheckpoint = 1_000 }: Options = {},
) {
  const client = new SqliteClient(file, { timeout: busyTimeout });
  try {
    useWal(client);
    client.pragma(`synchronous = ${synchronous}`);
    client.pragma(`wal_autocheckpoint = ${autoCheckpoint}`);
    client.pragma('foreign_keys = ON');
    client.pragma('secure_delete = FAST');
    return drizzle({ client });
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Waits by itself: SQLite does not, for a process that changes the mode of a new file in the same moment. */
function useWal(client: SqliteClient.Database): void {
  const deadline = Date.now() + defaultBusyTimeout;
  for (;;) {
    try {
      client.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY');
      if (!isBusy || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Folds the write-ahead log back into the file and closes it. */
export function close(db: Database): void {
  db.$client.close();
}

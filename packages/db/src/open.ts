import SqliteClient, { type RunResult } from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';

export type Database = ReturnType<typeof open>;

/** Functions with this parameter decide or write something that must still hold at commit. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export type DatabaseOrTransaction = BaseSQLiteDatabase<'sync', RunResult, Record<string, never>>;

const defaultBusyTimeout = 5_000;

/** 64 MB in pages, so that the thread of `startCheckpoints` normally empties the log first. */
const defaultAutoCheckpoint = 16_384;

/**
 * In kB. better-sqlite3's default of 16 MB would stay full after a single read of all posts. The
 * system caches the file, too.
 */
const cacheSize = 4_000;

interface Options {
  /** How long SQLite waits for another process's write, in milliseconds. Blocks the thread. */
  busyTimeout?: number;
  /** `OFF` for tests. */
  synchronous?: 'FULL' | 'OFF';
  /** A commit copies the write-ahead log to the database if it has more pages (4 kB each). */
  autoCheckpoint?: number;
}

/**
 * Opens or creates a database; ':memory:' has no file.
 *
 * WAL: readers do not wait for writers. `synchronous=FULL`: commits survive a power cut.
 * `secure_delete=FAST` overwrites deleted data, such as used tokens (sqlite.org/pragma.html).
 */
export function open(
  file: string,
  {
    busyTimeout = defaultBusyTimeout,
    synchronous = 'FULL',
    autoCheckpoint = defaultAutoCheckpoint,
  }: Options = {},
) {
  const client = new SqliteClient(file, { timeout: busyTimeout });
  try {
    useWal(client);
    client.pragma(`synchronous = ${synchronous}`);
    client.pragma(`wal_autocheckpoint = ${autoCheckpoint}`);
    client.pragma(`cache_size = -${cacheSize}`);
    client.pragma('foreign_keys = ON');
    client.pragma('secure_delete = FAST');
    return drizzle({ client });
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Retries, because SQLite does not wait if another process changes the mode of a new file. */
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

/** Moves the write-ahead log into the file. */
export function close(db: Database): void {
  db.$client.close();
}

import SqliteClient from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';

export type Database = ReturnType<typeof open>;

/**
 * Opens the database file, making it when there is none; ':memory:' for none at all.
 *
 * WAL lets readers go on while one writes. `synchronous=FULL` flushes at each
 * commit: what was acknowledged survives a power cut (sqlite.org/pragma.html).
 * Two processes that write at once wait for each other up to five seconds.
 */
export function open(file: string) {
  const client = new SqliteClient(file, { timeout: 5_000 });
  client.pragma('journal_mode = WAL');
  client.pragma('synchronous = FULL');
  client.pragma('foreign_keys = ON');
  return drizzle({ client });
}

/** Folds the write-ahead log back into the file and closes it. */
export function close(db: Database): void {
  db.$client.close();
}

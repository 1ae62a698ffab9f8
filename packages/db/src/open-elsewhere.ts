import { statSync } from 'node:fs';
import SqliteClient from 'better-sqlite3';

/**
 * Whether a program has the database open, such as Litestream, sqlite3 or a backup. If its file is
 * moved, that program goes on with the old one. False if the file is missing or cannot be read.
 */
export function isOpenElsewhere(file: string): boolean {
  // SQLite deletes the log of an empty file.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  const client = new SqliteClient(file, { fileMustExist: true, timeout: 0 });
  try {
    // Reading then needs a lock that excludes every other connection to a database with a log
    // (sqlite.org/wal.html, "Use of WAL Without Shared-Memory").
    client.pragma('locking_mode = EXCLUSIVE');
    client.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;
  } finally {
    client.close();
  }
}

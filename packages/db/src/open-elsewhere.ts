import { statSync } from 'node:fs';
import SqliteClient from 'better-sqlite3';

/**
 * Whether another program, such as Litestream, sqlite3 or a backup, has the database open. If the
 * file is replaced, that program continues with the old one. False if the file is missing or cannot
 * be read.
 */
export function isOpenElsewhere(file: string): boolean {
  // Opening an empty file would delete its log.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  const client = new SqliteClient(file, { fileMustExist: true, timeout: 0 });
  try {
    // In this mode, reading needs a lock that excludes every other connection to a database with a
    // log (sqlite.org/wal.html, "Use of WAL Without Shared-Memory").
    client.pragma('locking_mode = EXCLUSIVE');
    client.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;
  } finally {
    client.close();
  }
}

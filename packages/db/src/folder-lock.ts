import { join } from 'node:path';
import SqliteClient from 'better-sqlite3';

/**
 * Makes this process the only one that works on a data folder, until it releases the lock or
 * ends, for whatever reason.
 * @returns how to release it; null when another process holds it.
 */
export function lockFolder(folder: string): (() => void) | null {
  const client = new SqliteClient(join(folder, 'server.lock'), { timeout: 0 });
  try {
    client.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    client.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return () => client.close();
}

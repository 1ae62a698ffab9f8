import { join } from 'node:path';
import SqliteClient from 'better-sqlite3';

export const lockFile = 'server.lock';

/**
 * Locks a folder until the process ends.
 * @returns a function that releases the lock, or null if another process holds it
 */
export function lockFolder(folder: string, name = lockFile): (() => void) | null {
  const client = new SqliteClient(join(folder, name), { timeout: 0 });
  try {
    client.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    client.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return () => client.close();
}

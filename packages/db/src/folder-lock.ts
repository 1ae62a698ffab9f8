import { join } from 'node:path';
import SqliteClient from 'better-sqlite3';

/** Until it is released or the process ends. Null when another process holds the lock. */
export function lockFolder(folder: string, name = 'server.lock'): (() => void) | null {
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

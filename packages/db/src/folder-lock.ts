import { join } from 'node:path';
import SqliteClient from 'better-sqlite3';

/**
 * Makes this process the only one that works on a data folder, until it ends or
 * gives the lock back. The system frees it whichever way the process dies.
 * @returns how to give it back; null when another process has it.
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

import SqliteClient from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { firstDamage } from './inspect.ts';
import type { Database } from './open.ts';

/** In milliseconds. */
export const shortTimeout = 500;

/**
 * Opens an existing database for reading while `work` runs. A server may have it open, too.
 * @throws SQLite's error if it cannot be read
 */
export function withReadOnly<T>(file: string, work: (db: Database) => T): T {
  const client = new SqliteClient(file, {
    readonly: true,
    fileMustExist: true,
    timeout: shortTimeout,
  });
  try {
    return work(drizzle({ client }));
  } finally {
    client.close();
  }
}

/** Reads every page. @returns the first damage, or null if the database is intact */
export const quickCheck = ({ $client: client }: Database): string | null =>
  firstDamage(client, 'quick_check');

/** Whether SQLite refused a statement. Looks at causes, because drizzle wraps SQLite's errors. */
export function isSqliteError(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('SQLITE_')) return true;
  }
  return false;
}

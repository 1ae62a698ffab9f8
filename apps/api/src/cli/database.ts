import { join } from 'node:path';
import { inspectDatabase } from '@app/db/inspect';
import { close, type Database, open } from '@app/db/open';
import { CommandError } from './errors.ts';

/**
 * Opens the database of DATA_DIR while `work` runs.
 * @throws {CommandError} if it cannot be used
 */
export async function withDatabase<T>(
  dataDir: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const file = join(dataDir, 'site.db');
  try {
    refuseOthers(file, dataDir);
    const db = open(file);
    try {
      return await work(db);
    } finally {
      close(db);
    }
  } catch (error) {
    throw explain(error, file);
  }
}

/** Changes nothing. */
function refuseOthers(file: string, dataDir: string): void {
  const { state } = inspectDatabase(file);
  if (state === 'missing' || state === 'empty') {
    throw new CommandError(
      'no_database',
      `There is no database in DATA_DIR ${dataDir}: use the server's DATA_DIR, or start the server once.`,
    );
  }
  if (state === 'foreign') {
    throw new CommandError(
      'foreign_database',
      `${file} belongs to another program: use the server's DATA_DIR.`,
    );
  }
  if (state === 'newer') {
    throw new CommandError(
      'newer_database',
      `${file} was written by a newer version: use that version's CLI.`,
    );
  }
}

/** Turns errors of SQLite, which drizzle wraps, into sentences. */
function explain(error: unknown, file: string): unknown {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, message } = each as Error & { code?: unknown };
    if (typeof code !== 'string' || !code.startsWith('SQLITE_')) continue;
    if (code.startsWith('SQLITE_BUSY')) {
      return new CommandError('database_busy', 'The database is busy: try again in a moment.');
    }
    return new CommandError(
      'unusable_database',
      `The database ${file} cannot be used (${message}): make sure that this user can write to it, and start this version of the server once.`,
    );
  }
  return error;
}

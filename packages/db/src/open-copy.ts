import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from './migrate.ts';
import { close, type Database, open } from './open.ts';

/** The second one is in memory, for when no disk can be written. */
const parentFolders = [tmpdir(), '/dev/shm'];

/**
 * Opens a copy of a database whose own folder cannot be written: SQLite needs to write beside a
 * database even to read it. The copy is brought to the newest schema, and `prepare` may complete
 * it; from then on writes fail with SQLITE_READONLY. Its files are gone when it is closed or the
 * process ends.
 * @throws when there is no database, or no folder for the copy
 */
export function openCopy(
  file: string,
  migrationsFolder: string,
  prepare: (db: Database) => unknown,
): Database {
  let failure: unknown;
  for (const parent of parentFolders) {
    try {
      return copyTo(parent, file, migrationsFolder, prepare);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function copyTo(
  parent: string,
  file: string,
  migrationsFolder: string,
  prepare: (db: Database) => unknown,
): Database {
  const folder = mkdtempSync(join(parent, 'site-copy-'));
  try {
    const copy = join(folder, 'site.db');
    copyFileSync(file, copy);
    // What was committed and not folded into the file yet. Its index is made anew.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    const db = open(copy);
    try {
      migrate(db, migrationsFolder);
      prepare(db);
      db.$client.pragma('query_only = ON');
      return db;
    } catch (error) {
      close(db);
      throw error;
    }
  } finally {
    // Open files stay readable until they are closed.
    rmSync(folder, { recursive: true, force: true });
  }
}

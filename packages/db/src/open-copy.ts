import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from './migrate.ts';
import { close, type Database, open } from './open.ts';

/** The second is in memory, in case no disk is writable. */
const parentFolders = [tmpdir(), '/dev/shm'];

/**
 * Copies a database from a read-only folder, where SQLite cannot even read it. Opens and migrates
 * the copy, runs `prepare`, and makes it read-only. The copy is gone when it is closed.
 * @throws if there is no database or no folder for the copy
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
    // The log has commits that are not in the file yet. SQLite recreates the index of the log.
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
    // Open files stay readable.
    rmSync(folder, { recursive: true, force: true });
  }
}

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from './migrate.ts';
import { close, type Database, open } from './open.ts';

/** The second is in memory, in case no disk is writable. */
const parentFolders = [tmpdir(), '/dev/shm'];

/**
 * Opens a copy of a database in a read-only folder, where SQLite cannot even read it. Migrates it,
 * runs `prepare`, and makes it read-only. Its files are deleted when it is closed.
 * @throws without a database or a folder for the copy
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
    // Commits that are not in the file yet. SQLite recreates its index.
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

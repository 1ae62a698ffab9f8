import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../migrate.ts';
import { close, type Database, open } from '../open.ts';
import { writeSnapshot } from '../snapshot.ts';
import { copyShared, openShared } from './shared-databases.ts';
import { type TestDatabaseKind, testDatabaseKind } from './test-database-kind.ts';

let migratedFile: Buffer | undefined;

/**
 * Opens a migrated database, with the rows of the file if it exists. On a server, the file only
 * names the database, until its folder is deleted.
 */
export const openTestDatabase = async (
  file: string,
  kind: TestDatabaseKind = testDatabaseKind,
): Promise<Database> =>
  kind === 'file' ? openTestFile(file) : await openShared(file, kind === 'replica');

/** Copies it to a new file, which can replace the file of the next `openTestDatabase`. */
export function copyTestDatabase(file: string, target: string): void {
  if (copyShared(file, target)) return;
  const db = open(file);
  try {
    writeSnapshot(db, target);
  } finally {
    close(db);
  }
}

/** Opens a copy of a database that is migrated once per process. Commits are not flushed. */
export function openTestFile(file: string): Database {
  if (!existsSync(file)) {
    migratedFile ??= makeMigratedFile();
    writeFileSync(file, migratedFile);
  }
  const db = open(file, { synchronous: 'OFF' });
  migrate(db);
  return db;
}

/** Not ':memory:': a file is already in WAL mode, so opening a copy does not write. */
function makeMigratedFile(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'migrated-'));
  const file = join(folder, 'site.db');
  const db = open(file, { synchronous: 'OFF' });
  migrate(db);
  close(db);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

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
 * Migrated, with the rows of the file if it exists. The kind says where it is: on a server, the
 * file names it until its folder is deleted.
 */
export const openTestDatabase = async (
  file: string,
  kind: TestDatabaseKind = testDatabaseKind,
): Promise<Database> =>
  kind === 'file' ? openTestFile(file) : await openShared(file, kind === 'replica');

/** To a new file, which the next `openTestDatabase` may get in place of its own. */
export function copyTestDatabase(file: string, target: string): void {
  if (copyShared(file, target)) return;
  const db = open(file);
  try {
    writeSnapshot(db, target);
  } finally {
    close(db);
  }
}

/** Copies a database that is migrated once per process. Does not flush. */
export function openTestFile(file: string): Database {
  if (!existsSync(file)) {
    migratedFile ??= makeMigratedFile();
    writeFileSync(file, migratedFile);
  }
  const db = open(file, { synchronous: 'OFF' });
  migrate(db);
  return db;
}

/** Of a file, not of ':memory:': in WAL mode already, so opening a copy does not write. */
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

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../migrate.ts';
import { close, type Database, open } from '../open.ts';

let migratedFile: Buffer | undefined;

/** Copies a database that is migrated once per process. Does not flush. */
export function openTestDatabase(file: string): Database {
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

import { existsSync, writeFileSync } from 'node:fs';
import { migrate } from '../migrate.ts';
import { close, type Database, open } from '../open.ts';

let migratedFile: Buffer | undefined;

/**
 * Opens a database for a test, with every migration applied. A file that does not exist is a copy
 * of one that was migrated once in this process, and nothing is flushed: both take longer than
 * most tests.
 */
export function openTestDatabase(file: string): Database {
  if (!existsSync(file)) {
    migratedFile ??= makeMigratedFile();
    writeFileSync(file, migratedFile);
  }
  const db = open(file, { synchronous: 'OFF' });
  migrate(db);
  return db;
}

function makeMigratedFile(): Buffer {
  const db = open(':memory:');
  migrate(db);
  const bytes = db.$client.serialize();
  close(db);
  return bytes;
}

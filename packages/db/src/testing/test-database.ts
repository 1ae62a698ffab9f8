import { existsSync, writeFileSync } from 'node:fs';
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

function makeMigratedFile(): Buffer {
  const db = open(':memory:');
  migrate(db);
  const bytes = db.$client.serialize();
  close(db);
  return bytes;
}

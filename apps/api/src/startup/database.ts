import { join } from 'node:path';
import { startCheckpoints } from '@app/db/checkpoint';
import { close, type Database } from '@app/db/open';
import { type Clock, systemClock } from '../clock.ts';
import { ownDatabaseFile } from '../database-files.ts';
import type { Deps } from '../deps.ts';
import { prepareDataFolder } from '../storage/data-folder/startup.ts';
import { migrateDatabase } from '../storage/update/migrate-database.ts';
import { openDatabase } from './data-folder.ts';
import { requireOwnInUse } from './moved-database.ts';
import type { ServerParts } from './server-parts.ts';
import { openSharedDatabase } from './shared-database.ts';

/** A database that has the schema of this version. */
export interface ServerDatabase {
  db: Database;
  /** The same on all servers that share the database. */
  clock: Clock;
  /** Starts the background work that the database needs. @returns a function that stops it */
  maintain(deps: Pick<Deps, 'storage' | 'health' | 'log' | 'publisher'>): () => Promise<void>;
  close(): Promise<void>;
}

/** Opens the database in DATA_DIR or, with DATABASE_URL, the one on the database server. */
export const openServerDatabase = (parts: ServerParts): Promise<ServerDatabase> => {
  const { databaseServer } = parts.env;
  return databaseServer ? openSharedDatabase(databaseServer, parts) : openOwnDatabase(parts);
};

async function openOwnDatabase({
  env: { dataDir },
  log,
  migrationsFolder,
  startNew,
}: ServerParts): Promise<ServerDatabase> {
  const now = systemClock.now();
  prepareDataFolder(dataDir, { startNew, now, log });
  const file = join(dataDir, ownDatabaseFile);
  const db = openDatabase(file);
  try {
    requireOwnInUse(db, dataDir);
    migrateDatabase(db, { dataDir, file, migrationsFolder, now, log });
  } catch (error) {
    close(db);
    throw error;
  }
  return {
    db,
    clock: systemClock,
    maintain: ({ storage }) =>
      startCheckpoints(file, (error) => {
        if (storage.note(error) === null) log.error({ err: error }, 'a checkpoint failed');
      }),
    close: async () => close(db),
  };
}

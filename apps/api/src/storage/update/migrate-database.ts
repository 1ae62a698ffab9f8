import { statfsSync } from 'node:fs';
import { inspectDatabase } from '@app/db/inspect';
import { migrate, pendingMigrations } from '@app/db/migrate';
import type { Database } from '@app/db/open';
import { storageFailureOf } from '@app/db/storage-failure';
import { megabytes } from '../../cli/megabytes.ts';
import type { Log } from '../../log.ts';
import { StartupError } from '../../startup-error.ts';
import { copyDatabase } from './copies.ts';

interface Migration {
  dataDir: string;
  /** The file of the database, or of its replica. */
  file: string;
  /** Other servers may use the database, so its write lock is not checked. */
  isShared?: boolean;
  migrationsFolder: string;
  /** Milliseconds since 1970. */
  now: number;
  log: Log;
  /** In bytes, as available to this user. */
  freeSpace?: (folder: string) => number;
}

/**
 * Migrates to the newest schema. First copies a database that has data, to go back with
 * `pnpm cli restore`. If anything fails, the database is unchanged.
 * @throws {StartupError} if there is no space for both, or the copy fails
 * @throws what `migrate` throws
 */
export function migrateDatabase(db: Database, migration: Migration): void {
  const { dataDir, file, isShared, migrationsFolder, now, log } = migration;
  const { freeSpace = freeSpaceOf } = migration;
  const { schema, pending } = pendingMigrations(db, migrationsFolder);
  const isCopied = pending > 0 && inspectDatabase(file).state === 'inUse';
  if (!isCopied) {
    migrate(db, migrationsFolder);
    return;
  }
  const began = performance.now();
  if (!isShared) requireWriteLock(db);
  requireSpace(db, dataDir, freeSpace);
  const copy = copyOrExplain(db, { dataDir, schema: schema ?? 'unknown', now });
  const milliseconds = Math.round(performance.now() - began);
  log.info({ copy, milliseconds }, 'copied the database before its migration');
  const migrations = migrate(db, migrationsFolder);
  log.info(
    { migrations, milliseconds: Math.round(performance.now() - began) - milliseconds },
    'migrated the database',
  );
}

/** Throws before the copy if the database is locked, because startup retries every 0.1 s. */
function requireWriteLock({ $client: client }: Database): void {
  client.exec('BEGIN IMMEDIATE');
  client.exec('ROLLBACK');
}

function requireSpace(
  { $client: client }: Database,
  dataDir: string,
  freeSpace: (folder: string) => number,
): void {
  const pages = Number(client.pragma('page_count', { simple: true }));
  const bytes = pages * Number(client.pragma('page_size', { simple: true }));
  const free = freeSpace(dataDir);
  // For the copy, and for a migration that rewrites every table.
  if (free >= 2 * bytes) return;
  throw new StartupError(
    `DATA_DIR ${dataDir} has ${megabytes(free)} of free space, and this update needs ${megabytes(2 * bytes)}: it copies the database, then migrates it. Nothing was changed: free some space and start again, or start the previous version.`,
  );
}

function copyOrExplain(db: Database, options: Parameters<typeof copyDatabase>[1]): string {
  try {
    return copyDatabase(db, options);
  } catch (cause) {
    if (storageFailureOf(cause) !== null) throw cause;
    throw new StartupError(
      `The database could not be copied before its migration (${(cause as Error).message}). Nothing was changed: fix the cause and start again, or start the previous version.`,
      { cause },
    );
  }
}

function freeSpaceOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ownDatabaseFile, replicaFile } from '../../database-files.ts';
import type { Env } from '../../env.ts';
import { readLastBackup } from '../../last-backup.ts';
import type { Log } from '../../log.ts';
import type { Readings } from './metrics.ts';

export interface ReadingDeps {
  log: Log;
  health: { problems(): string[] };
  settings: Pick<Env, 'dataDir' | 'databaseServer'>;
  outbox: { depth(): { queued: number; dead: number } };
  publisher: { depth(): number; lastDuration(): number | null };
  passwords: { depth(): number };
}

/** A value that cannot be read is null, so that the other metrics are still served. */
export async function takeReadings(deps: ReadingDeps): Promise<Readings> {
  const { health, outbox, publisher, passwords, log } = deps;
  const { dataDir, databaseServer } = deps.settings;
  const isShared = databaseServer !== undefined;
  const database = join(dataDir, isShared ? replicaFile : ownDatabaseFile);
  const orNull = async <T>(what: string, read: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      log.warn({ err: error }, `cannot read ${what} for metrics`);
      return null;
    }
  };
  const [pages, emails, databaseBytes, walBytes, freeBytes, backup] = await Promise.all([
    orNull('the pages to publish', () => publisher.depth()),
    orNull('the outbox', () => outbox.depth()),
    orNull('the size of the database', () => sizeOf(database)),
    orNull('the size of the write-ahead log', () => sizeOf(`${database}-wal`)),
    orNull('the free space', () => freeSpace(dataDir)),
    orNull('the last backup', () => readLastBackup(dataDir)),
  ]);
  const published = publisher.lastDuration();
  return {
    site_publish_pending: pages,
    site_last_publish_duration_seconds: published === null ? null : published / 1_000,
    site_emails_queued: emails?.queued ?? null,
    site_emails_dead: emails?.dead ?? null,
    site_password_hashes: passwords.depth(),
    site_database_size_bytes: databaseBytes,
    site_database_wal_size_bytes: walBytes,
    site_disk_free_bytes: freeBytes,
    site_problems: health.problems().length,
    site_last_backup_timestamp_seconds: backup ? Date.parse(backup.time) / 1_000 : null,
    site_last_backup_size_bytes: backup?.bytes ?? null,
  };
}

/** In bytes; 0 for a missing file. */
const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 0;
      throw error;
    },
  );

/** In bytes, without those reserved for root. */
async function freeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

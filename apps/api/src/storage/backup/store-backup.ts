import { day } from '@app/contract/durations';
import type { Database } from '@app/db/open';
import type { Progress } from '../../cli/progress.ts';
import type { UploadStore } from '../uploads/upload-store.ts';
import { makeBackup } from './backup.ts';
import type { BackupManifest } from './manifest.ts';
import type { BackupNames } from './names.ts';
import { recordBackup } from './record.ts';
import { inStagingFolder } from './staging.ts';
import type { BackupStore } from './store.ts';

interface Storing {
  dataDir: string;
  uploads: UploadStore;
  store: BackupStore;
  name: string;
  /** Whether an archive with this name is one of this site. */
  isOurs(name: string): boolean;
  now: number;
  signal: AbortSignal;
  onProgress: Progress;
}

export interface StoredBackup {
  manifest: BackupManifest;
  location: string;
  bytes: number;
  /** Why DATA_DIR/last-backup.json could not be written. */
  recordError: Error | null;
}

/**
 * Makes a backup, verifies it, stores it, and records it in DATA_DIR. The stored archive is complete
 * and flushed, or does not exist.
 * @throws {BackupError}
 */
export async function storeBackup(db: Database, storing: Storing): Promise<StoredBackup> {
  const { dataDir, uploads, store, name, isOurs, now, signal, onProgress } = storing;
  const location = store.locationOf(name);
  const own = { name, isOurs, now };
  const stored = await inStagingFolder(store.stagingParent, own, async (folder) => {
    const backup = await makeBackup(db, { uploads, folder, now, signal, onProgress });
    signal.throwIfAborted();
    await store.put(backup.archive, name, { signal, onProgress });
    return { manifest: backup.manifest, location, bytes: backup.bytes };
  });
  return { ...stored, recordError: record(dataDir, stored) };
}

/** Returns the error instead of throwing it, because the backup itself is complete. */
function record(
  dataDir: string,
  { manifest, location, bytes }: Omit<StoredBackup, 'recordError'>,
): Error | null {
  try {
    recordBackup(dataDir, { time: manifest.createdAt, file: location, bytes });
    return null;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Deletes the oldest backups of this site, but never the newest. Backups dated more than a day ahead,
 * because the clock is or was wrong, are neither counted nor deleted: they could be the only good
 * ones.
 * @param newest name of the backup that was just made
 * @param keep how many backups to keep, including the newest
 * @returns the locations of the deleted backups
 */
export async function removeOlder(
  store: BackupStore,
  names: BackupNames,
  { newest, now, keep }: { newest: string; now: number; keep: number },
): Promise<string[]> {
  const others = (await store.list())
    .map((name) => ({ name, time: names.timeOf(name) }))
    .filter(({ name, time }) => time !== null && time <= now + day && name !== newest)
    .sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
  const removed: string[] = [];
  for (const { name } of others.slice(keep - 1)) {
    await store.remove(name);
    removed.push(store.locationOf(name));
  }
  return removed;
}

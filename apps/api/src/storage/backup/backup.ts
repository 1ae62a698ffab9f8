import { createReadStream, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { day } from '@app/contract/durations';
import type { Database } from '@app/db/open';
import { writeSnapshot } from '@app/db/snapshot';
import { CommandError } from '../../cli/errors.ts';
import { megabytes } from '../../cli/megabytes.ts';
import type { Progress } from '../../cli/progress.ts';
import type { UploadStore } from '../uploads/upload-store.ts';
import { type BackupContents, InvalidBackup, readArchive, writeArchive } from './archive.ts';
import type { BackupNames } from './names.ts';
import { recordBackup } from './record.ts';
import type { BackupStore } from './store.ts';

interface BackupWork {
  dataDir: string;
  uploads: UploadStore;
  store: BackupStore;
  /** Of the archive. */
  name: string;
  /** Milliseconds since 1970. */
  now: number;
  signal: AbortSignal;
  onProgress: Progress;
}

export interface Backup extends BackupContents {
  location: string;
  bytes: number;
  /** Why DATA_DIR/last-backup.json could not be written. */
  recordError: Error | null;
}

/**
 * Makes a backup while a server runs, verifies it, stores it, and records it in DATA_DIR. The stored
 * archive is complete and flushed, or does not exist.
 * @throws {CommandError}
 */
export async function makeBackup(db: Database, work: BackupWork): Promise<Backup> {
  const { dataDir, store, name, now, signal, onProgress } = work;
  await removeAbandoned(store.workFolder, now);
  // Accessible only to its owner.
  const folder = await mkdtemp(join(store.workFolder, workPrefix));
  try {
    const [database, archive] = [join(folder, 'site.db'), join(folder, 'archive')];
    onProgress('Copying the database …');
    writeSnapshot(db, database);
    // Signals arrive between synchronous steps.
    await yieldToEventLoop();
    signal.throwIfAborted();
    await writeArchive(archive, database, work);
    await rm(database);
    const { size: bytes } = await stat(archive);
    onProgress(`Verifying the archive (${megabytes(bytes)}) …`);
    const contents = await readArchive({
      ...{ database, signal },
      open: async () => ({ source: createReadStream(archive), bytes }),
      // Only the share: steps of the verification are not reported.
      onProgress: (what) => typeof what === 'number' && onProgress(what),
    }).catch(explainDamage);
    signal.throwIfAborted();
    await store.put(archive, name, { signal, onProgress });
    const location = store.locationOf(name);
    const recordError = record(dataDir, { time: contents.createdAt, file: location, bytes });
    return { ...contents, location, bytes, recordError };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function explainDamage(error: unknown): never {
  if (!(error instanceof InvalidBackup)) throw error;
  throw new CommandError('invalid_file', `The new archive is not usable: ${error.message}.`);
}

/** Returns the error instead of throwing it, because the backup itself is complete. */
function record(dataDir: string, backup: Parameters<typeof recordBackup>[1]): Error | null {
  try {
    recordBackup(dataDir, backup);
    return null;
  } catch (error) {
    return error as Error;
  }
}

const workPrefix = '.site-backup-';

/** Deletes what killed processes left. A running one writes at least once a day. */
async function removeAbandoned(parent: string, now: number): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(workPrefix)) continue;
    const folder = join(parent, name);
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (changedAt < now - day) await rm(folder, { recursive: true, force: true });
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

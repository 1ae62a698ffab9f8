import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile, lockFolder } from '@app/db/folder-lock';
import { deleteServerSecret } from '@app/db/snapshot';
import { CommandError } from '../../cli/errors.ts';
import type { Progress } from '../../cli/progress.ts';
import { ownDatabaseFile } from '../../database-files.ts';
import { syncFolders, syncNow } from '../../files/atomic-files.ts';
import { databaseIdName } from '../../publishing/log.ts';
import {
  databaseFiles,
  existing,
  namesInUse,
  restoringFile,
  siteEntries,
} from '../data-folder/contents.ts';
import { previousFolder } from '../data-folder/move-aside.ts';
import type { UploadStore } from '../uploads/upload-store.ts';
import { type BackupContents, InvalidBackup } from './archive.ts';
import { isDatabaseName, type Settings } from './locations.ts';
import { readBackup, requireBackup } from './read-backup.ts';

interface RestoreWork {
  dataDir: string;
  uploads: UploadStore;
  /** An archive, or a copy of the database: see `readBackup`. */
  file: string;
  settings(): Settings;
  /** Milliseconds since 1970. */
  now: number;
  signal: AbortSignal;
  onProgress: Progress;
}

/**
 * Restores an archive into a DATA_DIR without a site, or a copy of the database into one without a
 * database. The last step gives the database its name: until then, a server does not start there.
 * The next start renders all pages.
 * @throws {CommandError} after removing what it has written to DATA_DIR
 */
export async function restoreBackup(work: RestoreWork): Promise<BackupContents> {
  const { dataDir, file, settings, now } = work;
  await requireBackup(file, settings);
  const newFolder = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const wasLocked = existsSync(join(dataDir, lockFile));
  const unlock = lockFolder(dataDir);
  if (!unlock) {
    throw new CommandError(
      'conflict',
      `A server is using DATA_DIR ${dataDir}: stop it, then try again. Nothing was changed.`,
    );
  }
  let isDone = false;
  try {
    requireEmpty(dataDir, { isDatabase: isDatabaseName(file), now });
    const contents = await unpack(work).catch(explainInvalid(file));
    isDone = true;
    return contents;
  } finally {
    if (!wasLocked) rmSync(join(dataDir, lockFile), { force: true });
    unlock();
    if (!isDone && newFolder !== undefined) rmSync(newFolder, { recursive: true });
  }
}

/** @throws {CommandError} that says how to move the site aside */
function requireEmpty(
  dataDir: string,
  { isDatabase, now }: { isDatabase: boolean; now: number },
): void {
  const entries = isDatabase ? databaseFiles : siteEntries;
  if (namesInUse(dataDir, entries).length === 0) return;
  const names = existing(dataDir, entries).join(' ');
  const folder = previousFolder(now);
  throw new CommandError(
    'conflict',
    `DATA_DIR ${dataDir} contains a ${isDatabase ? 'database' : 'site'}. Move it aside, then try again:\n  cd ${quoted(dataDir)} && mkdir ${folder} && mv ${names} ${folder}`,
  );
}

/** For a POSIX shell. */
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

async function unpack(work: RestoreWork): Promise<BackupContents> {
  const { dataDir, uploads, signal, onProgress } = work;
  const database = join(dataDir, restoringFile);
  const discard = discarding(dataDir, work.file);
  await rm(database, { force: true });
  try {
    onProgress('Unpacking …');
    const contents = await readBackup({ ...work, database, storeUpload: uploads.write });
    chmodSync(database, 0o600);
    deleteServerSecret(database, databaseIdName);
    syncNow(database);
    await syncFolders(uploadFolders(dataDir).filter((folder) => existsSync(folder)));
    signal.throwIfAborted();
    renameSync(database, join(dataDir, ownDatabaseFile));
    syncNow(dataDir);
    return contents;
  } catch (error) {
    for (const path of [...discard, database]) await rm(path, { recursive: true, force: true });
    throw error;
  }
}

const uploadFolders = (dataDir: string): string[] =>
  ['uploads', 'uploads/avatars', 'uploads/pictures'].map((name) => join(dataDir, name));

/** What a failed restore has to delete. An existing folder is empty, and can be a mount point. */
function discarding(dataDir: string, file: string): string[] {
  if (isDatabaseName(file)) return [];
  const [uploads = '', ...folders] = uploadFolders(dataDir);
  return existsSync(uploads) ? folders : [uploads];
}

const explainInvalid =
  (file: string) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidBackup)) throw error;
    throw new CommandError(
      'invalid_file',
      `${file} cannot be restored: ${error.message}. Nothing was changed.`,
    );
  };

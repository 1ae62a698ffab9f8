import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Progress } from '../../cli/progress.ts';
import { ownDatabaseFile } from '../../database-files.ts';
import { syncFolders } from '../../files/atomic-files.ts';
import { containsSite, isInUse } from '../data-folder/contents.ts';
import { finishReplacing, lockSite, replaceSite, stagingFolder } from '../data-folder/replace.ts';
import { copyUploads } from '../uploads/copy-uploads.ts';
import { folderUploads, type UploadStore } from '../uploads/upload-store.ts';
import { readArchive } from './archive.ts';
import type { OpenArchive } from './locations.ts';
import { BackupError, type BackupManifest } from './manifest.ts';

interface RestoreWork {
  dataDir: string;
  /** Undefined if uploads are in DATA_DIR. */
  uploads: UploadStore | undefined;
  file: string;
  open(): Promise<OpenArchive>;
  /** Milliseconds since 1970. */
  now: number;
  signal: AbortSignal;
  onProgress: Progress;
}

export interface Restored {
  manifest: BackupManifest;
  /** The folder with the previous site; null if there was none. */
  previous: string | null;
}

/**
 * Unpacks the backup, verifies it, and swaps it with the current site (see `replaceSite`): a killed
 * process leaves either the old site or the new one. The next start renders all pages.
 * @param replace allows moving an existing site aside
 * @throws {BackupError | ReplaceError} without changing DATA_DIR
 */
export async function restoreBackup(work: RestoreWork, replace: boolean): Promise<Restored> {
  const { dataDir, file } = work;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockSite(dataDir);
  try {
    finishReplacing(dataDir);
    if (!replace && (containsSite(dataDir) || isInUse(join(dataDir, ownDatabaseFile)))) {
      throw new BackupError(
        `DATA_DIR ${dataDir} contains a site: set it to an empty folder, or add --replace, which moves the old site aside`,
      );
    }
    const manifest = await unpack(work).catch((error: unknown) => {
      if (error instanceof BackupError) {
        throw new BackupError(
          `${file} cannot be restored: ${error.message}. Nothing was changed`,
          error,
        );
      }
      throw error;
    });
    if (work.uploads) await storeUploads(work.uploads, work);
    const entries = [ownDatabaseFile, ...(work.uploads ? [] : ['uploads'])];
    const incoming = entries.filter((name) => existsSync(join(stagingFolder(dataDir), name)));
    return { manifest, previous: replaceSite(dataDir, { now: work.now, incoming }) };
  } finally {
    finishReplacing(dataDir);
    unlock();
  }
}

async function unpack({ dataDir, open, signal, onProgress }: RestoreWork): Promise<BackupManifest> {
  const folder = stagingFolder(dataDir);
  mkdirSync(folder, { mode: 0o700 });
  onProgress('Unpacking …');
  const { source, bytes } = await open();
  const { manifest } = await readArchive({
    ...{ source, bytes, folder, signal, onProgress },
    unpacks: 'everything',
  });
  await syncFolders([folder, ...foldersOf(folder, manifest.files)]);
  return manifest;
}

/** Call it before the database is replaced. A cleanup later deletes files of the previous site. */
async function storeUploads(
  uploads: UploadStore,
  { dataDir, signal, onProgress }: RestoreWork,
): Promise<void> {
  onProgress('Storing avatars and pictures in the bucket …');
  await copyUploads(folderUploads(stagingFolder(dataDir)), uploads, { signal, onProgress });
}

function foldersOf(staging: string, files: BackupManifest['files']): Set<string> {
  const folders = new Set<string>();
  for (const name of Object.keys(files)) {
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
      folders.add(join(staging, folder));
    }
  }
  return folders;
}

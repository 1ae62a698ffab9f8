import { accessSync, constants, mkdirSync } from 'node:fs';
import { lockFolder } from '@app/db/folder-lock';
import { type Database, open } from '@app/db/open';
import { storageFailureOf } from '@app/db/storage-failure';
import { StartupError } from '../startup-error.ts';

/** SQLite would block the event loop while it waits. `writeTransaction` retries instead. */
const busyTimeout = 0;

/** @throws {StartupError} */
export function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    if (storageFailureOf(cause) !== null) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new StartupError(`DATA_DIR ${dataDir} is not a folder: choose another one.`);
    }
    throw new StartupError(
      `DATA_DIR ${dataDir} is not writable (${code}): choose another folder, or change its owner to this user.`,
    );
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // With `recursive`, Node reports a read-only disk as ENOENT.
    mkdirSync(folder);
  }
}

/**
 * Two servers on one folder would miss each other's changes, because each caches what it serves.
 * @returns a function that releases the lock
 * @throws {StartupError}
 */
export function lockDataFolder(dataDir: string): () => void {
  const unlock = lockFolder(dataDir);
  if (unlock) return unlock;
  throw new StartupError(
    `Another server is using DATA_DIR ${dataDir}: stop it, or choose another folder.`,
  );
}

/** @throws {StartupError} */
export function openDatabase(file: string): Database {
  try {
    return open(file, { busyTimeout });
  } catch (cause) {
    if (storageFailureOf(cause) !== null) throw cause;
    throw new StartupError(
      `The database ${file} cannot be opened (${(cause as Error).message}): make sure that this user can read and write it, or restore a backup with \`pnpm cli restore FILE\`.`,
    );
  }
}

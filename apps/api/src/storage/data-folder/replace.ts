import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '@app/db/folder-lock';
import { isOpenElsewhere } from '@app/db/open-elsewhere';
import { toIso } from '../../clock.ts';
import { ownDatabaseFile } from '../../database-files.ts';
import { syncNow } from '../../files/atomic-files.ts';
import { siteEntries } from './contents.ts';

/** Nothing was changed. The operator sees the message. */
export class ReplaceError extends Error {
  override name = 'ReplaceError';
}

/** A journal, written before the first file is moved and removed after the last one. */
interface Replacement {
  /** The folder that receives the old site, and the entries to move there. */
  aside: { folder: string; names: string[] };
  /** Entries to move from the staging folder. */
  place: string[];
}

const recordFile = (dataDir: string): string => join(dataDir, 'replacing.json');

/** @returns a function that releases the lock. @throws {ReplaceError} if a server is running */
export function lockSite(dataDir: string): () => void {
  const unlock = lockFolder(dataDir);
  if (unlock) return unlock;
  throw new ReplaceError(`A server is using DATA_DIR ${dataDir}: stop it, then try again`);
}

/** Inside DATA_DIR, so that files can be renamed instead of copied. */
export const stagingFolder = (dataDir: string): string => join(dataDir, '.restoring');

interface ReplaceOptions {
  /** Milliseconds since 1970, for the name of the folder. */
  now: number;
  /** Entries to move from the staging folder. */
  incoming?: readonly string[];
  /** Entries of DATA_DIR to move aside if they exist. By default, the whole site. */
  outgoing?: readonly string[];
}

/**
 * Moves the site in DATA_DIR into a new folder inside it, and entries of the staging folder to
 * DATA_DIR. Deletes nothing. Several renames are not atomic, so a journal is written first: a
 * process killed before that leaves the old site; after that, the next start completes the renames
 * (`finishReplacing`).
 *
 * The caller must hold the lock of DATA_DIR.
 * @returns the folder with the old site; null if there was none
 * @throws {ReplaceError} if an entry of the old site cannot be moved, before it moves any
 */
export function replaceSite(
  dataDir: string,
  { now, incoming = [], outgoing = siteEntries }: ReplaceOptions,
): string | null {
  // Before listing the files: SQLite removes the log of a database that no process has open.
  refuseOpenDatabase(dataDir);
  const names = outgoing.filter((name) => exists(join(dataDir, name)));
  for (const name of names) refuseMountPoint(dataDir, name);
  const folder = previousFolder(now);
  if (names.length > 0) mkdirSync(join(dataDir, folder), { mode: 0o700 });
  const replacement: Replacement = { aside: { folder, names }, place: [...incoming] };
  const draft = `${recordFile(dataDir)}.new`;
  writeFileSync(draft, JSON.stringify(replacement), { mode: 0o600, flush: true });
  renameSync(draft, recordFile(dataDir));
  syncNow(dataDir);
  finishReplacing(dataDir);
  return names.length > 0 ? join(dataDir, folder) : null;
}

function refuseOpenDatabase(dataDir: string): void {
  const file = join(dataDir, ownDatabaseFile);
  if (!isOpenElsewhere(file)) return;
  throw new ReplaceError(
    `Another program has ${file} open, such as Litestream, a backup or sqlite3: end it, then try again`,
  );
}

function refuseMountPoint(dataDir: string, name: string): void {
  const path = join(dataDir, name);
  if (lstatSync(path).dev === lstatSync(dataDir).dev) return;
  throw new ReplaceError(
    `${path} is a mount point, which cannot be moved: unmount it, try again, copy the files that are in ${path} afterwards to its disk, and mount it again`,
  );
}

/** @param now milliseconds since 1970 */
export const previousFolder = (now: number): string =>
  `previous-${toIso(now).replaceAll(':', '-')}`;

/** Completes an interrupted `replaceSite`, and removes the staging folder. */
export function finishReplacing(dataDir: string): void {
  const replacement = readReplacement(dataDir);
  if (replacement) {
    const { aside, place } = replacement;
    const folder = join(dataDir, aside.folder);
    for (const name of aside.names) move(join(dataDir, name), join(folder, name));
    if (aside.names.length > 0) syncNow(folder);
    for (const name of place) move(join(stagingFolder(dataDir), name), join(dataDir, name));
    syncNow(dataDir);
    rmSync(recordFile(dataDir));
    syncNow(dataDir);
  }
  const staging = stagingFolder(dataDir);
  if (exists(staging)) rmSync(staging, { recursive: true });
}

function readReplacement(dataDir: string): Replacement | null {
  try {
    return JSON.parse(readFileSync(recordFile(dataDir), 'utf8')) as Replacement;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Ignores files that were moved before the interruption, or removed by SQLite. */
function move(from: string, to: string): void {
  if (exists(from) && !exists(to)) renameSync(from, to);
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

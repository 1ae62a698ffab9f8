import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ownDatabaseFile } from '../../database-files.ts';
import { lastBackupFile } from '../../last-backup.ts';
import { lostAndFound } from '../../lost-and-found.ts';

const databaseIndex = `${ownDatabaseFile}-shm`;

/** The database of a restore that has not ended. */
export const restoringFile = 'restoring-site.db';

export const databaseFiles: readonly string[] = [
  ownDatabaseFile,
  `${ownDatabaseFile}-wal`,
  databaseIndex,
  restoringFile,
];

/** Other files in DATA_DIR are not touched. */
export const siteEntries: readonly string[] = [
  ...databaseFiles,
  'before-migration',
  'uploads',
  'trash',
  'mail',
  'site',
  'releases',
  lastBackupFile,
];

/** Do not count as a site. Every reader creates the index of the write-ahead log. */
const others: readonly string[] = [databaseIndex, lastBackupFile];

export const existing = (dataDir: string, names: readonly string[]): string[] =>
  names.filter((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined);

/** Whether there are files of a site other than the database file. */
export const containsSite = (dataDir: string): boolean =>
  namesInUse(dataDir, siteEntries).some((name) => name !== ownDatabaseFile);

/** Those of the names that have content. */
export const namesInUse = (dataDir: string, names: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name) && isInUse(join(dataDir, name)));

export const containsUploads = (dataDir: string): boolean => isInUse(join(dataDir, 'uploads'));

/** Whether a file, or any file in a folder, has content. Starting the server creates empty ones. */
export function isInUse(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  if (entry.isSymbolicLink() && !statSync(path, { throwIfNoEntry: false })) return true;
  return statSync(path).isDirectory()
    ? readdirSync(path).some((name) => name !== lostAndFound && isInUse(join(path, name)))
    : statSync(path).size > 0;
}

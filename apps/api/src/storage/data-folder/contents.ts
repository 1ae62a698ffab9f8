import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const databaseFiles = ['site.db', 'site.db-wal', 'site.db-shm'] as const;

/** Other files in DATA_DIR are left alone. */
export const siteEntries = [
  ...databaseFiles,
  'before-migration',
  'uploads',
  'trash',
  'mail',
  'site',
  'releases',
] as const;

/** Besides the database file. Ignores its log's index, which every reader creates. */
export const containsSite = (dataDir: string): boolean =>
  siteEntries
    .filter((name) => name !== 'site.db' && name !== 'site.db-shm')
    .some((name) => isInUse(join(dataDir, name)));

export const containsUploads = (dataDir: string): boolean => isInUse(join(dataDir, 'uploads'));

/** Whether a file, or any file in a folder, has content. A start creates empty ones. */
export function isInUse(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  if (entry.isSymbolicLink() && !statSync(path, { throwIfNoEntry: false })) return true;
  return statSync(path).isDirectory()
    ? readdirSync(path).some((name) => isInUse(join(path, name)))
    : statSync(path).size > 0;
}

import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All of the program's entries in DATA_DIR; other files in it are left alone. */
export const siteEntries = [
  'site.db',
  'site.db-wal',
  'site.db-shm',
  'uploads',
  'trash',
  'mail',
  'site',
  'releases',
] as const;

/**
 * Whether anything of a site is in DATA_DIR besides the database file itself. Commits that are
 * still in its write-ahead log count; the log's index does not, for every reader makes one.
 */
export const containsSite = (dataDir: string): boolean =>
  siteEntries
    .filter((name) => name !== 'site.db' && name !== 'site.db-shm')
    .some((name) => isInUse(join(dataDir, name)));

export const containsUploads = (dataDir: string): boolean => isInUse(join(dataDir, 'uploads'));

/** Whether a file, or any file below a folder, has content. What a start creates has none. */
export function isInUse(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  if (entry.isSymbolicLink() && !statSync(path, { throwIfNoEntry: false })) return true;
  return statSync(path).isDirectory()
    ? readdirSync(path).some((name) => isInUse(join(path, name)))
    : statSync(path).size > 0;
}

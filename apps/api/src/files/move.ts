import { cpSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncNow, temporaryPrefix } from './atomic-files.ts';

/**
 * Renames a file or folder in DATA_DIR, whose folders may be on different file systems. Ignores a
 * missing one. Synchronous, for transactions.
 */
export function moveNow(from: string, to: string): void {
  try {
    rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyAndRemove(from, to);
  }
}

/** Flushes the copy to the disk before it removes the original, so that a kill loses no file. */
function copyAndRemove(from: string, to: string): void {
  // Throws ENOENT for a missing file, for which rename(2) reports EXDEV as well.
  const isFolder = lstatSync(from).isDirectory();
  const staged = join(dirname(to), temporaryPrefix + basename(to));
  rmSync(staged, { recursive: true, force: true });
  cpSync(from, staged, { recursive: true, preserveTimestamps: true });
  if (isFolder) {
    for (const name of readdirSync(staged, { recursive: true, encoding: 'utf8' })) {
      syncNow(join(staged, name));
    }
  }
  syncNow(staged);
  renameSync(staged, to);
  syncNow(dirname(to));
  rmSync(from, { recursive: true });
}

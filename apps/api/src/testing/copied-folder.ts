import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyShared } from '@app/db/testing/shared-databases';

/**
 * Makes a folder with which many tests begin, once per test worker.
 * @returns a function that copies it into an empty folder
 */
export function copiedFolder(
  make: (folder: string) => Promise<void>,
): (folder: string) => Promise<void> {
  let made: Promise<string> | undefined;
  async function makeOnce(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'copied-'));
    await make(folder);
    saveRows(folder);
    return folder;
  }
  return async (folder) => {
    made ??= makeOnce();
    cpSync(await made, folder, { recursive: true, verbatimSymlinks: true });
  };
}

/** Copies the database into the folder if it is on a server. */
export function saveRows(dataDir: string): void {
  const file = join(dataDir, 'site.db');
  if (!existsSync(file)) copyShared(file, file);
}

import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolders } from '../../files/atomic-files.ts';
import { BackupError } from './manifest.ts';
import type { BackupStore } from './store.ts';

/** @param folder absolute. Unfinished archives are in it as well, so that they can be renamed. */
export const folderStore = (folder: string): BackupStore => ({
  stagingParent: folder,
  locationOf: (name) => join(folder, name),

  async list() {
    try {
      return await readdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') throw new BackupError(`${folder} is not a folder`);
      if (code !== 'ENOENT') throw error;
      throw new BackupError(`The folder ${folder} does not exist: create it, or mount its disk`);
    }
  },

  async put(archive, name) {
    refuseTaken(join(folder, name));
    await rename(archive, join(folder, name));
    await syncFolders([folder]);
  },

  remove: (name) => rm(join(folder, name), { force: true }),
});

export function refuseTaken(file: string): void {
  if (!existsSync(file)) return;
  throw new BackupError(`${file} already exists: choose another name, such as one with the date`);
}

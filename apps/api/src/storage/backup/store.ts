import { existsSync, renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../cli/errors.ts';
import type { Progress } from '../../cli/progress.ts';
import { syncFolders } from '../../files/atomic-files.ts';
import { archiveSuffix } from './names.ts';

/** Where archives are stored. Methods reject with disk and network errors. */
export interface BackupStore {
  /** An existing folder in which archives are made. */
  workFolder: string;
  /** A path or a URL, for messages. */
  locationOf(name: string): string;
  /** Lists all files, not only backups. */
  list(): Promise<string[]>;
  /** Stores an archive. Until it is stored completely, the name does not exist. */
  put(archive: string, name: string, work: StoreWork): Promise<void>;
  remove(name: string): Promise<void>;
}

interface StoreWork {
  signal: AbortSignal;
  onProgress: Progress;
}

/** @param folder absolute. Archives are made in it as well, so that they can be renamed. */
export const folderStore = (folder: string): BackupStore => ({
  workFolder: folder,
  locationOf: (name) => join(folder, name),

  async list() {
    try {
      return await readdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTDIR' && code !== 'ENOENT') throw error;
      const problem =
        code === 'ENOTDIR'
          ? `${folder} is not a folder.`
          : `The folder ${folder} does not exist: create it, or mount its disk.`;
      const hint = `The name of an archive ends in ${archiveSuffix}.`;
      throw new CommandError('invalid_file', `${problem} ${hint}`);
    }
  },

  async put(archive, name) {
    if (existsSync(join(folder, name))) throw nameTaken(join(folder, name));
    renameSync(archive, join(folder, name));
    await syncFolders([folder]);
  },

  remove: (name) => rm(join(folder, name), { force: true }),
});

export const nameTaken = (location: string): CommandError =>
  new CommandError(
    'invalid_file',
    `${location} already exists: choose another name, such as one with the date.`,
  );

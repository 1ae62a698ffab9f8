import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Flushes a file or folder to the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes the entries of the folders: which names are in them. */
export async function syncFolders(folders: Iterable<string>): Promise<void> {
  await Promise.all([...new Set(folders)].map(sync));
}

/**
 * Puts files in place so that a reader, and a power cut, finds each of them old
 * or new and never half: temp file, fsync, rename, fsync of the folder
 * (see rename(2) and fsync(2)). Content by path.
 */
export async function replaceFiles(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await Promise.all([...files].map(([path, bytes]) => stageFile(path, bytes)));
  await placeFiles([...files.keys()]);
}

/** The first half of `replaceFiles`: the bytes are on the disk, beside the place of the file. */
export async function stageFile(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await openForWriting(temporary(path));
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The second half: what was staged takes the place of what was there. */
export async function placeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rename(temporary(path), path)));
  await syncFolders(paths.map(dirname));
}

/** Takes files away; it is fine when they are gone already. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** Names that start with a dot are never served. */
const temporary = (path: string): string =>
  `${dirname(path)}/.new-${path.slice(dirname(path).length + 1)}`;

/** Folders are made when they turn out to be missing, which is hardly ever. */
async function openForWriting(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    return open(path, 'w');
  }
}

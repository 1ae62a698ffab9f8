import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
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
  for (const [path, bytes] of files) stageFile(path, bytes);
  await placeFiles([...files.keys()]);
}

/**
 * The first half of `replaceFiles`: the bytes are written beside the place of the
 * file. Synchronous, for the press's threads; see press.ts.
 */
export function stageFile(path: string, bytes: Uint8Array): void {
  makingFolder(path, () => writeFileSync(temporary(path), bytes));
}

/**
 * The second half: what was staged reaches the disk, then takes the place of what
 * was there. Flushed together, since the first flush carries most of the others'
 * work with it.
 */
export async function placeFiles(paths: readonly string[]): Promise<void> {
  await flushStaged(paths);
  placeStaged(paths);
  await syncFolders(paths.map(dirname));
}

/** Its steps, for files that succeed or fail each by itself: flushes what was staged, */
export async function flushStaged(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => sync(temporary(path))));
}

/** puts it in place, */
export function placeStaged(paths: readonly string[]): void {
  for (const path of paths) renameSync(temporary(path), path);
}

/** and flushes the folders, where they still are. */
export async function syncFoldersOf(paths: readonly string[]): Promise<void> {
  await syncFolders(paths.map(dirname).filter((folder) => existsSync(folder)));
}

/** Takes away what was staged and will not be placed: on a full disk it is in the way of everything. */
export async function discardStaged(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => rm(temporary(path), { force: true })));
}

/** Takes files away; it is fine when they are gone already. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** Names that start with a dot are never served. */
const temporary = (path: string): string =>
  `${dirname(path)}/.new-${path.slice(dirname(path).length + 1)}`;

/** Writes a file whose folder is made when it turns out to be missing, which is hardly ever. */
export function makingFolder<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return write();
  }
}

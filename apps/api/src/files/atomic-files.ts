import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Synchronous, for transactions. */
export function syncNow(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Runs one fsync at a time, because reads of requests share the threads. Ignores missing files. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    try {
      await sync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

export async function syncFolders(folders: Iterable<string>): Promise<void> {
  await Promise.all([...new Set(folders)].map(sync));
}

/**
 * Writes files atomically: readers see the old or the new content, also after a power cut. Temporary
 * file, fsync, rename, fsync of the folder; see rename(2) and fsync(2).
 */
export async function replaceFiles(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const paths = [...files.keys()];
  await orDiscardStaged(paths, async () => {
    for (const [path, bytes] of files) stageFile(path, bytes);
    await commitStaged(paths);
  });
}

/** Writes the temporary file for `commitStaged`. */
function stageFile(path: string, bytes: Uint8Array): void {
  withParentFolder(path, () => writeFileSync(temporary(path), bytes));
}

/** Flushes all at once, because the first fsync does most of the work of the others. */
async function commitStaged(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => sync(temporary(path))));
  for (const path of paths) renameSync(temporary(path), path);
  await syncFolders(paths.map(dirname));
}

/** Replaces a file atomically. Flush it later with `syncFiles` and `syncFoldersOf`. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await orDiscardStaged([path], async () => {
    try {
      await writeFile(temporary(path), bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary(path), bytes);
    }
    await rename(temporary(path), path);
  });
}

export async function syncFoldersOf(paths: readonly string[]): Promise<void> {
  await syncFolders(paths.map(dirname).filter((folder) => existsSync(folder)));
}

async function orDiscardStaged(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    discardStaged(paths);
    throw error;
  }
}

/** Frees their space, since the disk may be full. */
function discardStaged(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(temporary(path), { force: true });
    } catch {
      // The next write of the file overwrites it, and the next startup removes it.
    }
  }
}

/** Also removes what a kill left of writing them. Ignores missing files. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  const all = paths.flatMap((path) => [path, temporary(path)]);
  await Promise.all(all.map((path) => rm(path, { force: true })));
}

/** Starts with a dot, because dot files are never served. */
export const temporaryPrefix = '.new-';

const temporary = (path: string): string =>
  `${dirname(path)}/${temporaryPrefix}${path.slice(dirname(path).length + 1)}`;

/** Whether it is a temporary file: being written, or left by a kill. */
export const isTemporary = (path: string): boolean => basename(path).startsWith(temporaryPrefix);

export function withParentFolder<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return write();
  }
}

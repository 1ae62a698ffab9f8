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
import { open, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Flushes a file or a folder to the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same for what must not wait, such as a transaction. */
export function syncNow(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** One by one: no request waits, and reads share the threads. Ignores missing files. */
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
 * Writes files so that readers and a power cut see the old or the new content: temporary file,
 * fsync, rename, fsync of the folder (see rename(2) and fsync(2)).
 */
export async function replaceFiles(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const paths = [...files.keys()];
  await orDiscardStaged(paths, async () => {
    for (const [path, bytes] of files) stageFile(path, bytes);
    await commitStaged(paths);
  });
}

/** For `commitStaged`. Synchronous, for file-worker.ts. */
export function stageFile(path: string, bytes: Uint8Array): void {
  withParentFolder(path, () => writeFileSync(temporary(path), bytes));
}

/** All at once: the first fsync does most of the others' work. */
export async function commitStaged(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => sync(temporary(path))));
  renameStaged(paths);
  await syncFolders(paths.map(dirname));
}

function renameStaged(paths: readonly string[]): void {
  for (const path of paths) renameSync(temporary(path), path);
}

/**
 * Replaces a page and its compressed siblings. A kill in between leaves the page without siblings,
 * never with those of another version, which hosts would serve as the page.
 */
export function renamePage([page, ...siblings]: readonly [string, ...string[]]): void {
  for (const sibling of siblings) rmSync(sibling, { force: true });
  renameStaged([page, ...siblings]);
}

export async function syncFoldersOf(paths: readonly string[]): Promise<void> {
  await syncFolders(paths.map(dirname).filter((folder) => existsSync(folder)));
}

/** Discards what is left of the staged files if `work` fails. */
export async function orDiscardStaged(
  paths: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    discardStaged(paths);
    throw error;
  }
}

/** They would take up space on a full disk. */
export function discardStaged(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(temporary(path), { force: true });
    } catch {
      // The next write of the file overwrites it, and a start removes it.
    }
  }
}

/** Compressed siblings first, so that a kill leaves none without its file. Ignores missing files. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  const { siblings = [], files = [] } = Object.groupBy(paths, (path) =>
    /\.(?:br|gz)$/.test(path) ? 'siblings' : 'files',
  );
  for (const group of [siblings, files]) {
    await Promise.all(group.map((path) => rm(path, { force: true })));
  }
}

/** Dot files are never served. */
export const temporaryPrefix = '.new-';

const temporary = (path: string): string =>
  `${dirname(path)}/${temporaryPrefix}${path.slice(dirname(path).length + 1)}`;

/** Whether a kill has left the file. */
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

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
  const folders = new Set([...files.keys()].map(dirname));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await Promise.all([...files].map(([path, bytes]) => writeDurably(temporary(path), bytes)));
  await Promise.all([...files.keys()].map((path) => rename(temporary(path), path)));
  await syncFolders(folders);
}

/** Takes files away; it is fine when they are gone already. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** Names that start with a dot are never served. */
const temporary = (path: string): string =>
  `${dirname(path)}/.new-${path.slice(dirname(path).length + 1)}`;

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'w');
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle?.close();
  }
}

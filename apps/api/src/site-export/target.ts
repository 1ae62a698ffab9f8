import {
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFolder } from '@app/db/folder-lock';
import * as v from 'valibot';
import { overlap } from '../files/overlap.ts';
import { flush } from '../publishing/release.ts';
import { unlessMissing } from '../unless-missing.ts';

const stateFile = '.site-export.json';
const lockFile = '.site-export.lock';
const stagingFolder = '.site-export.new';
const own: readonly string[] = [stateFile, lockFile, `${lockFile}-journal`, stagingFolder];

/** The files of an export: versions by path in its folder; '' if a file may be incomplete. */
const exportState = v.object({
  format: v.literal('site-export-1'),
  files: v.record(
    v.pipe(
      v.string(),
      v.check((name) => name.split('/').every((part) => !['', '.', '..'].includes(part))),
    ),
    v.string(),
  ),
});

/** The folder cannot be used. The user sees the message. */
export class TargetError extends Error {
  override name = 'TargetError';
}

export type Target = Awaited<ReturnType<typeof openTarget>>;

/**
 * Opens the folder of an earlier export or an empty folder, which it creates if necessary.
 * @param dataDir must not overlap with the folder
 * @throws {TargetError}
 */
export async function openTarget(folder: string, dataDir: string) {
  await makeRoot(folder);
  const root = await realpath(folder);
  if (overlap(root, dataDir)) {
    throw new TargetError(`${folder} and DATA_DIR ${dataDir} overlap: choose another folder.`);
  }
  const files = await readState(folder, root);
  const unlock = lockFolder(root, lockFile);
  if (!unlock)
    throw new TargetError(`Another export is writing to ${folder}: wait until it is done.`);
  const checked = new Set<string>([root]);
  const staging = join(root, stagingFolder);
  await rm(staging, { recursive: true, force: true });

  /** Never writes through a symbolic link. */
  async function makeFolder(path: string): Promise<void> {
    if (checked.has(path)) return;
    await makeFolder(dirname(path));
    const found = await unlessMissing(lstat(path), null);
    if (found && !found.isDirectory()) {
      const what = found.isSymbolicLink() ? 'a symbolic link' : 'not a folder';
      throw new TargetError(`${path} is ${what}: remove it.`);
    }
    if (!found) await mkdir(path);
    checked.add(path);
  }

  const writeState = async (state: Record<string, string>): Promise<void> => {
    const path = join(root, stateFile);
    await writeFile(`${path}.new`, JSON.stringify({ format: 'site-export-1', files: state }));
    await rename(`${path}.new`, path);
  };

  return {
    root,

    /** Versions by name, as of the last export. */
    files: files as Readonly<Record<string, string>>,

    /** Writes a file to the staging folder. @returns false if the export already has these bytes */
    async stage(name: string, bytes: Uint8Array): Promise<boolean> {
      const path = join(root, name);
      await makeFolder(dirname(path));
      const found = await unlessMissing(lstat(path), null);
      if (found?.isDirectory()) throw new TargetError(`${path} is a folder: remove it.`);
      if (found?.isFile() && found.size === bytes.length && (await readFile(path)).equals(bytes))
        return false;
      const staged = join(staging, name);
      await mkdir(dirname(staged), { recursive: true });
      await writeFile(staged, bytes);
      return true;
    },

    /**
     * Moves the staged files into place one by one, each atomically, and removes those that are gone.
     * @param names staged files, in the order in which to replace them
     * @param next the versions of all files
     * @returns the number of removed files
     */
    async commit(names: readonly string[], next: Record<string, string>): Promise<number> {
      const gone = Object.keys(files).filter((name) => !(name in next));
      const changed = Object.fromEntries([...names, ...gone].map((name) => [name, '']));
      await flush({ folder: root });
      // If the commit is interrupted, the next export writes these files again.
      await writeState({ ...files, ...changed });
      for (const name of names) await rename(join(staging, name), join(root, name));
      for (const name of gone) await removeFile(root, name);
      await rm(staging, { recursive: true, force: true });
      await flush({ folder: root });
      await writeState(next);
      return gone.length;
    },

    async close(): Promise<void> {
      await rm(staging, { recursive: true, force: true });
      unlock();
    },
  };
}

/** Creates the last folder without `recursive`, with which Node can try forever, as in /proc. */
async function makeRoot(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function readState(folder: string, root: string): Promise<Record<string, string>> {
  const text = await unlessMissing(readFile(join(root, stateFile), 'utf8'), null);
  if (text === null) {
    const others = (await readdir(root)).filter((name) => !own.includes(name));
    if (others.length === 0) return {};
    throw new TargetError(
      `${folder} is not empty and not an earlier export: choose another folder.`,
    );
  }
  try {
    return v.parse(exportState, JSON.parse(text)).files;
  } catch {
    throw new TargetError(
      `${join(root, stateFile)} is damaged: remove ${folder}, and export again.`,
    );
  }
}

/** Also removes the folders that become empty. Stops at symbolic links. */
async function removeFile(root: string, name: string): Promise<void> {
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = join(root, ...parts.slice(0, depth));
    if (!(await unlessMissing(lstat(folder), null))?.isDirectory()) return;
  }
  await rm(join(root, name), { force: true });
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    try {
      await rmdir(join(root, ...parts.slice(0, depth)));
    } catch {
      return;
    }
  }
}

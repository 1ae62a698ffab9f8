import { execFile } from 'node:child_process';
import { existsSync, opendirSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { day, second } from '@app/contract/durations';
import { cardFolderOf } from '@app/contract/pages';
import { batchesOf } from '../batches.ts';
import { isTemporary, removeFiles, replaceFile, syncFolders } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import { lostAndFound } from '../lost-and-found.ts';
import { fileOf } from '../server/site-files.ts';
import { StartupError } from '../startup-error.ts';
import { newId } from '../tokens.ts';
import { unlessMissing } from '../unless-missing.ts';
import { withPublicUrl } from './public-url.ts';
import type { LoadedBuild } from './renderer.ts';
import { type PublishState, readState, stateFile } from './state.ts';

const maxRemovals = 20;
const removalMilliseconds = 100;

/** Limits open files. */
const filesAtOnce = 16;

/** A complete copy of the site. `DATA_DIR/site` is a symbolic link to the served one. */
export interface Release {
  folder: string;
}

const releasesFolder = (dataDir: string): string => join(dataDir, 'releases');
export const siteFolder = (dataDir: string): string => join(dataDir, 'site');
const nextLink = (dataDir: string): string => join(dataDir, '.site.new');

async function servedFolder(dataDir: string): Promise<string | null> {
  const target = await unlessMissing(readlink(siteFolder(dataDir)), null);
  return target === null ? null : join(dataDir, target);
}

/**
 * The served release, and what an earlier process remembered about it: null if that is missing,
 * malformed or of an earlier version of this program. Null if nothing is published.
 */
export async function openServedRelease(
  dataDir: string,
): Promise<{ release: Release; state: PublishState | null } | null> {
  let folder: string | null;
  try {
    folder = await servedFolder(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') {
      throw new StartupError(
        `${siteFolder(dataDir)} is a folder, but must be a link that the publisher creates: move the folder away.`,
      );
    }
    return null;
  }
  if (folder === null || !existsSync(folder)) return null;
  return { release: { folder }, state: await readState(folder) };
}

export async function createRelease(dataDir: string, buildId: string): Promise<Release> {
  const folder = join(releasesFolder(dataDir), `${buildId.slice(0, 12)}-${newId().slice(-8)}`);
  await mkdir(folder, { recursive: true });
  return { folder };
}

export async function serveRelease(dataDir: string, { folder }: Release, log: Log): Promise<void> {
  const next = nextLink(dataDir);
  await rm(next, { force: true });
  await symlink(relative(dataDir, folder), next);
  await rename(next, siteFolder(dataDir));
  try {
    await syncFolders([dataDir]);
  } catch (error) {
    // Not a failure: it is served now, and the old one stays until the link is on the disk.
    log.error({ err: error }, 'could not flush the link to the new release');
  }
}

export const discardRelease = ({ folder }: Release): Promise<void> =>
  removeTrees([folder, stateFile(folder)]);

/** Removes all releases but the served one, also unfinished ones and leftovers of a switch. */
export async function removeOtherReleases(dataDir: string, signal: AbortSignal): Promise<void> {
  await rm(nextLink(dataDir), { force: true });
  const names = await unlessMissing(readdir(releasesFolder(dataDir)), []);
  const served = await servedFolder(dataDir);
  const isServed = (path: string): boolean =>
    served !== null && (path === served || path === stateFile(served));
  const others = names
    .filter((name) => name !== lostAndFound)
    .map((name) => join(releasesFolder(dataDir), name))
    .filter((path) => !isServed(path));
  if (others.length === 0) return;
  // After a power cut, the link must not point to a removed release.
  await syncFolders([dataDir]);
  await removeTrees(others, signal);
}

/**
 * Uses `rm`, because removing tens of thousands of files with Node blocks the event loop for 100 ms.
 * Tries again, because processes of a killed server may still write to the folders for a moment.
 */
async function removeTrees(paths: readonly string[], signal?: AbortSignal): Promise<void> {
  if (paths.length === 0) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await promisify(execFile)('rm', ['-rf', '--', ...paths], { signal });
      return;
    } catch (error) {
      if (attempt === maxRemovals) throw error;
    }
    await pause(removalMilliseconds, undefined, { signal });
  }
}

export const listFiles = async (folder: string): Promise<string[]> =>
  (await Array.fromAsync(filesBelow(folder))).flat();

/** Per turn of the event loop. */
const namesAtOnce = 1_000;

/**
 * Lists tens of thousands of files without blocking the event loop, in batches of names relative to
 * the folder. Reads them synchronously, which takes a tenth of the time of a promise for each name;
 * `readdir` with `recursive` would call stat for each of them.
 */
export async function* filesBelow(folder: string): AsyncGenerator<string[]> {
  const prefixes = [''];
  for (const prefix of prefixes) {
    using entries = opendirSync(join(folder, prefix), { bufferSize: namesAtOnce });
    let names: string[] = [];
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      if (entry.isDirectory()) prefixes.push(`${prefix}${entry.name}/`);
      else if (entry.isFile()) names.push(prefix + entry.name);
      if (names.length < namesAtOnce) continue;
      yield names;
      names = [];
      await nextTurn();
    }
    yield names;
  }
}

/** Reads only their folder, to skip tens of thousands of pages. */
export async function listAssets({ folder }: Release): Promise<string[]> {
  const assets = join(folder, assetsFolder);
  if (!existsSync(assets)) return [];
  const names = await listFiles(assets);
  return names.filter((name) => !isTemporary(name)).map((name) => join(assetsFolder, name));
}

const assetsFolder = '_astro';

/** Hashed names differ between builds, so a release can hold the assets of several. */
export const isHashedAsset = (name: string): boolean => name.startsWith(`${assetsFolder}/`);

/**
 * Copies assets of earlier builds, for visitors who still have a page of theirs open: those of the
 * served build, and those that it replaced less than a day ago. A copy's modification time is when
 * a later build replaced it.
 * @param names the assets of the new build
 * @param now milliseconds since 1970
 */
export async function copyRetiredAssets(
  served: Release & { createdAt: number },
  next: Release,
  names: ReadonlySet<string>,
  now: number,
): Promise<void> {
  for (const name of await listAssets(served)) {
    if (names.has(name)) continue;
    const from = join(served.folder, name);
    const to = join(next.folder, name);
    const { mtimeMs } = await stat(from);
    // Rounded, because file systems store fractions.
    const isOfServed = Math.round(mtimeMs) >= served.createdAt;
    if (!isOfServed && Math.round(mtimeMs) + day <= now) continue;
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
    // Earlier than the assets of the new build.
    const retiredAt = new Date(isOfServed ? now - second : mtimeMs);
    await utimes(to, retiredAt, retiredAt);
  }
}

/**
 * Copies files of the build into a release, and replaces the placeholder of the public URL. Call
 * `flush` afterwards.
 */
export async function copyStaticFiles(
  { staticFiles }: Pick<LoadedBuild, 'staticFiles'>,
  names: readonly string[],
  { folder }: Release,
  { publicUrl, now }: { publicUrl: string; now: number },
): Promise<void> {
  const copiedAt = new Date(now);
  for (const batch of batchesOf(names, filesAtOnce)) {
    const copying = batch.map(async (name) => {
      const bytes = withPublicUrl(name, await readFile(join(staticFiles, name)), publicUrl);
      const file = join(folder, name);
      await replaceFile(file, bytes);
      if (isHashedAsset(name)) await utimes(file, copiedAt, copiedAt);
    });
    // A release cannot be removed while files are still being written.
    const ends = await Promise.allSettled(copying);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

export const fileIn = ({ folder }: Release, path: string): string => {
  const name = fileOf(path);
  if (name === null) throw new Error(`not a publishable path: ${path}`);
  return join(folder, name);
};

/** The paths of a page's card: usually one, none if it is missing. */
export async function cardsOf({ folder }: Release, path: string): Promise<string[]> {
  const cards = cardFolderOf(path);
  const names = await unlessMissing(readdir(join(folder, cards)), []);
  return names.filter((name) => !isTemporary(name)).map((name) => `${cards}/${name}`);
}

/** Removes the card of a page unless the page still shows it. @returns what was removed */
export async function removeCards(
  release: Release,
  path: string,
  shown?: string,
): Promise<string[]> {
  const unused = (await cardsOf(release, path)).filter((card) => card !== shown);
  await removeFiles(unused.map((card) => join(release.folder, card)));
  if (unused.length > 0 && shown === undefined) {
    await rm(join(release.folder, cardFolderOf(path)), { recursive: true, force: true });
  }
  return unused;
}

/** Makes a hard link, because files of these names never change. */
export async function linkFile(name: string, from: Release, to: Release): Promise<boolean> {
  const [source, target] = [join(from.folder, name), join(to.folder, name)];
  try {
    await mkdir(dirname(target), { recursive: true });
    await link(source, target);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    // Some file systems have no hard links.
    await copyFile(source, target);
    return true;
  }
}

/** Calls syncfs(2) once: an fsync per file would take longer than rendering. */
export async function flush({ folder }: Pick<Release, 'folder'>): Promise<void> {
  await promisify(execFile)('sync', ['-f', folder]);
}

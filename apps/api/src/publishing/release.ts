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
  symlink,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { batchesOf } from '../batches.ts';
import { isTemporary, replaceFile, syncFolders } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import { lostAndFound } from '../lost-and-found.ts';
import { StartupError } from '../startup-error.ts';
import { newId } from '../tokens.ts';
import { unlessMissing } from '../unless-missing.ts';
import { Manifest, readManifest } from './manifest.ts';
import type { ReleaseOrigin } from './manifest-lines.ts';
import { withPublicUrl } from './public-url.ts';
import type { LoadedBuild } from './renderer.ts';

const maxRemovals = 20;
const removalMilliseconds = 100;

/** Limits open files. */
const filesAtOnce = 16;

/** A complete copy of the site. `DATA_DIR/site` is a symbolic link to the served one. */
export interface Release {
  folder: string;
  manifest: Manifest;
}

const releasesFolder = (dataDir: string): string => join(dataDir, 'releases');
export const siteFolder = (dataDir: string): string => join(dataDir, 'site');
const nextLink = (dataDir: string): string => join(dataDir, '.site.new');
export const manifestFile = (folder: string): string => `${folder}.manifest`;

async function servedFolder(dataDir: string): Promise<string | null> {
  const target = await unlessMissing(readlink(siteFolder(dataDir)), null);
  return target === null ? null : join(dataDir, target);
}

/** Null if the release or its manifest is missing or unreadable. */
export async function openServedRelease(dataDir: string, log: Log): Promise<Release | null> {
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
  const manifest = await Manifest.read(manifestFile(folder));
  if (!manifest) {
    log.warn('the publish manifest is missing or malformed: rendering all pages');
    return null;
  }
  const { malformedLines } = manifest;
  if (malformedLines > 0) {
    log.warn(
      { malformedLines },
      'the publish manifest had malformed lines: rendering their pages again',
    );
  }
  return { folder, manifest };
}

/** Reads the manifest of a running server. Null if nothing is published. */
export async function readServedManifest(dataDir: string) {
  const folder = await servedFolder(dataDir).catch(() => null);
  return folder === null ? null : readManifest(manifestFile(folder));
}

export async function createRelease(dataDir: string, origin: ReleaseOrigin): Promise<Release> {
  const folder = join(
    releasesFolder(dataDir),
    `${origin.buildId.slice(0, 12)}-${newId().slice(-8)}`,
  );
  await mkdir(join(folder, 'cards'), { recursive: true });
  return { folder, manifest: await Manifest.create(manifestFile(folder), origin) };
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

export async function discardRelease({ folder, manifest }: Release): Promise<void> {
  await manifest.close();
  await removeTrees([folder, manifestFile(folder)]);
}

/** Removes all releases but the served one, also unfinished ones and leftovers of a switch. */
export async function removeOtherReleases(dataDir: string, signal: AbortSignal): Promise<void> {
  await rm(nextLink(dataDir), { force: true });
  const names = await unlessMissing(readdir(releasesFolder(dataDir)), []);
  const served = await servedFolder(dataDir);
  const isServed = (path: string): boolean =>
    served !== null && (path === served || path === manifestFile(served));
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

/** Copies assets of earlier builds, for visitors who still have a page of theirs open. */
export async function copyRetiredAssets(from: Release, to: Release): Promise<void> {
  for (const asset of Object.keys(to.manifest.origin.retired)) {
    await mkdir(dirname(join(to.folder, asset)), { recursive: true });
    await unlessMissing(copyFile(join(from.folder, asset), join(to.folder, asset)), undefined);
  }
}

/**
 * Copies files of the build into a release, and replaces the placeholder of the public URL. Call
 * `flush` afterwards.
 */
export async function copyStaticFiles(
  { staticFiles }: Pick<LoadedBuild, 'staticFiles'>,
  names: readonly string[],
  { folder, manifest }: Release,
): Promise<void> {
  for (const batch of batchesOf(names, filesAtOnce)) {
    const copying = batch.map(async (name) => {
      const bytes = withPublicUrl(
        name,
        await readFile(join(staticFiles, name)),
        manifest.origin.publicUrl,
      );
      await replaceFile(join(folder, name), bytes);
    });
    // A release cannot be removed while files are still being written.
    const ends = await Promise.allSettled(copying);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

/** Whether a file is a social card, whose name is a hash of its content. */
export const isCard = (name: string): boolean => /^cards\/[^./]+\.png$/.test(name);

export const cardFile = ({ folder }: Release, path: string): string => join(folder, path);

export async function listCards({ folder }: Release): Promise<string[]> {
  await mkdir(join(folder, 'cards'), { recursive: true });
  const names = await readdir(join(folder, 'cards'));
  return names.map((name) => `/cards/${name}`);
}

/** Makes a hard link, because cards are immutable. */
export async function copyCard(path: string, from: Release, to: Release): Promise<void> {
  try {
    await link(cardFile(from, path), cardFile(to, path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EEXIST') return;
    // Some file systems have no hard links.
    await copyFile(cardFile(from, path), cardFile(to, path));
  }
}

export async function copyPage(name: string, from: Release, to: Release): Promise<void> {
  await mkdir(dirname(join(to.folder, name)), { recursive: true });
  await unlessMissing(copyFile(join(from.folder, name), join(to.folder, name)), undefined);
}

/** Calls syncfs(2) once: an fsync per file would take longer than rendering. */
export async function flush({ folder }: Pick<Release, 'folder'>): Promise<void> {
  await promisify(execFile)('sync', ['-f', folder]);
}

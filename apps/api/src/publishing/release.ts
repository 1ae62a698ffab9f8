import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
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
import { promisify } from 'node:util';
import type { Log } from '../log.ts';
import { StartupError } from '../startup-error.ts';
import { newId } from '../tokens.ts';
import { placeFiles, syncFolders } from './atomic-files.ts';
import { Manifest, type ReleaseOrigin } from './manifest.ts';
import { installed } from './verify-files.ts';
import type { Press, PressJob } from './worker-pool.ts';

/** One whole copy of the site. `DATA_DIR/site` is a link to the one that is served. */
export interface Release {
  folder: string;
  manifest: Manifest;
}

const releasesFolder = (dataDir: string): string => join(dataDir, 'releases');
export const siteFolder = (dataDir: string): string => join(dataDir, 'site');
const manifestFile = (folder: string): string => `${folder}.manifest`;

/** The release that is served; null when there is none yet, or it or its manifest is lost or cannot be read. */
export async function openServedRelease(dataDir: string, log: Log): Promise<Release | null> {
  let folder: string;
  try {
    folder = join(dataDir, await readlink(siteFolder(dataDir)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') {
      throw new StartupError(
        `${siteFolder(dataDir)} is a folder, but has to be a link that the publisher makes: move the folder away.`,
      );
    }
    return null;
  }
  if (!existsSync(folder)) return null;
  const manifest = await Manifest.read(manifestFile(folder));
  if (!manifest) {
    log.warn('the publish manifest is missing or malformed: rendering all pages');
    return null;
  }
  const { malformedLines } = manifest;
  if (malformedLines > 0) {
    log.warn(
      { malformedLines },
      'the manifest of the published files had malformed lines: their pages are rendered again',
    );
  }
  return { folder, manifest };
}

export async function createRelease(dataDir: string, origin: ReleaseOrigin): Promise<Release> {
  const folder = join(
    releasesFolder(dataDir),
    `${origin.buildId.slice(0, 12)}-${newId().slice(-8)}`,
  );
  await mkdir(join(folder, 'cards'), { recursive: true });
  return { folder, manifest: await Manifest.create(manifestFile(folder), origin) };
}

/** Serves the release from now on: the link is replaced in one step. */
export async function serveRelease(dataDir: string, { folder }: Release): Promise<void> {
  const next = join(dataDir, '.site.new');
  await rm(next, { force: true });
  await symlink(relative(dataDir, folder), next);
  await rename(next, siteFolder(dataDir));
  await syncFolders([dataDir]);
}

/** Takes away a release that came to nothing. */
export async function discardRelease({ folder, manifest }: Release): Promise<void> {
  await manifest.close();
  await removeTrees([folder, manifestFile(folder)]);
}

/** Removes every release but the given one, half-made ones of an earlier crash included. */
export async function removeOtherReleases(
  dataDir: string,
  kept: Release | undefined,
): Promise<void> {
  await mkdir(releasesFolder(dataDir), { recursive: true });
  const names = await readdir(releasesFolder(dataDir));
  const isKept = (path: string): boolean =>
    kept !== undefined && (path === kept.folder || path === manifestFile(kept.folder));
  await removeTrees(
    names.map((name) => join(releasesFolder(dataDir), name)).filter((path) => !isKept(path)),
  );
}

/** Through coreutils: Node's own removal of ten thousands of files holds the event loop for 100 ms. */
async function removeTrees(paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await promisify(execFile)('rm', ['-rf', '--', ...paths]);
}

/** The paths of all files below a folder, from that folder. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** The hashed assets that a release has. Looks at their folder alone: the pages are tens of thousands. */
export async function listAssets({ folder }: Release): Promise<string[]> {
  const assets = join(folder, assetsFolder);
  if (!existsSync(assets)) return [];
  return (await listFiles(assets)).map((name) => join(assetsFolder, name));
}

const assetsFolder = '_astro';

/** Assets that carry their hash in the name: two builds' files lie side by side. */
export const isHashedAsset = (name: string): boolean => name.startsWith(`${assetsFolder}/`);

/**
 * Takes the assets of the build before along: somebody may have a page of it open
 * and reach for a control. Those of the builds before that one go.
 */
export async function keepAssets(from: Release, to: Release): Promise<void> {
  const present = new Set(await listFiles(to.folder));
  for (const asset of from.manifest.origin.assets) {
    if (present.has(asset)) continue;
    for (const ending of ['', '.br', '.gz']) {
      const file = join(from.folder, asset + ending);
      if (existsSync(file)) await copyFile(file, join(to.folder, asset + ending));
    }
  }
}

/**
 * Copies files of the build into a release, with the public address in place of
 * its stand-in, and compressed siblings. In a release that is served they are to
 * be staged first: each file is there whole or not at all.
 */
export async function copyStaticFiles(
  from: string,
  names: readonly string[],
  { folder, manifest }: Release,
  as: PressJob['as'],
  press: Press,
): Promise<void> {
  const copying = names.map(async (name) => {
    const bytes = await readFile(join(from, name));
    const content = installed(name, bytes, manifest.origin.publicUrl);
    return press.run({ file: join(folder, name), bytes: content, effort: 'asset', as });
  });
  // Each one's end is waited for: what is still being written could not be discarded.
  const ends = await Promise.allSettled(copying);
  const files = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  if (as === 'staged') await placeFiles(files.flat());
}

/** A drawn card: its name changes with what it shows. */
export const isCard = (name: string): boolean => /^cards\/[^./]+\.png$/.test(name);

/** The file of a card, by its address. */
export const cardFile = ({ folder }: Release, path: string): string => join(folder, path);

/** The addresses of the cards that are drawn. */
export async function listCards({ folder }: Release): Promise<string[]> {
  await mkdir(join(folder, 'cards'), { recursive: true });
  const names = await readdir(join(folder, 'cards'));
  return names.map((name) => `/cards/${name}`);
}

/**
 * Takes a card along to another release, if it is drawn by now and not of the build: the same
 * file in both, since no card ever changes.
 */
export async function keepCard(path: string, from: Release, to: Release): Promise<void> {
  try {
    await link(cardFile(from, path), cardFile(to, path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EEXIST') return;
    // Not every file system has links.
    await copyFile(cardFile(from, path), cardFile(to, path));
  }
}

/** Copies a page and its siblings from one release to another that nobody is served yet. */
export async function copyPage(name: string, from: Release, to: Release): Promise<void> {
  await mkdir(dirname(join(to.folder, name)), { recursive: true });
  for (const ending of ['', '.br', '.gz']) {
    await copyFile(join(from.folder, name + ending), join(to.folder, name + ending));
  }
}

/**
 * Flushes a whole release at once: syncfs(2) through coreutils, since flushing
 * each of ten thousands of files takes longer than rendering them.
 */
export async function flush({ folder }: Release): Promise<void> {
  await promisify(execFile)('sync', ['-f', folder]);
}

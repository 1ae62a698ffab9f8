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
import { commitStaged, isTemporary, orDiscardStaged, syncFolders } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import { lostAndFound } from '../lost-and-found.ts';
import { isSibling } from '../server/site-rules.ts';
import { StartupError } from '../startup-error.ts';
import { newId } from '../tokens.ts';
import { unlessMissing } from '../unless-missing.ts';
import { hasBuiltSiblings } from './built-siblings.ts';
import { Manifest, readManifest } from './manifest.ts';
import type { ReleaseOrigin } from './manifest-lines.ts';
import { withPublicUrl } from './public-url.ts';
import type { LoadedBuild } from './renderer.ts';
import type { WorkerPool, WriteJob } from './worker-pool.ts';

/** Attempts, and the milliseconds between them. */
const maxRemovals = 20;
const removalMilliseconds = 100;

/** A complete copy of the site. `DATA_DIR/site` is a symbolic link to the served one. */
export interface Release {
  folder: string;
  manifest: Manifest;
}

const releasesFolder = (dataDir: string): string => join(dataDir, 'releases');
export const siteFolder = (dataDir: string): string => join(dataDir, 'site');
const nextLink = (dataDir: string): string => join(dataDir, '.site.new');
export const manifestFile = (folder: string): string => `${folder}.manifest`;

/** What the link names; null without a link. */
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

/** That of a server in another process. Null if nothing is published. */
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
    // It is served now. The old one stays until the link is on the disk.
    log.error({ err: error }, 'could not flush the link to the new release');
  }
}

export async function discardRelease({ folder, manifest }: Release): Promise<void> {
  await manifest.close();
  await removeTrees([folder, manifestFile(folder)]);
}

/**
 * Those that the link does not name, including unfinished ones, and what a switch to one has left.
 */
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
  // After a power cut, the link must not name one of them.
  await syncFolders([dataDir]);
  await removeTrees(others, signal);
}

/**
 * Removing tens of thousands of files with Node blocks the event loop for 100 ms. Processes of a
 * killed server may write for a moment longer, so that a folder is not empty.
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

/** Names per turn of the event loop. */
const namesAtOnce = 1_000;

/**
 * Names relative to the folder, in batches: a release has tens of thousands. Reading them costs a
 * tenth of a promise for each. `readdir` with `recursive` calls stat for each of them.
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

/** Without siblings. Only reads their folder: there may be tens of thousands of pages. */
export async function listAssets({ folder }: Release): Promise<string[]> {
  const assets = join(folder, assetsFolder);
  if (!existsSync(assets)) return [];
  const names = await listFiles(assets);
  return names
    .filter((name) => !isTemporary(name) && !isSibling(name))
    .map((name) => join(assetsFolder, name));
}

const assetsFolder = '_astro';

/** Files of two builds can coexist. */
export const isHashedAsset = (name: string): boolean => name.startsWith(`${assetsFolder}/`);

/** Of earlier builds, for visitors who have one of their pages open. */
export async function copyRetiredAssets(from: Release, to: Release): Promise<void> {
  for (const asset of Object.keys(to.manifest.origin.retired)) {
    await mkdir(dirname(join(to.folder, asset)), { recursive: true });
    for (const ending of ['', '.br', '.gz']) {
      const file = join(from.folder, asset + ending);
      if (existsSync(file)) await copyFile(file, join(to.folder, asset + ending));
    }
  }
}

/**
 * Copies files of the build into a release, with the public URL in place of its placeholder, and
 * compressed siblings. `staged` for a served release, which must never hold partial files.
 */
export async function copyStaticFiles(
  { staticFiles, compressedFiles }: Pick<LoadedBuild, 'staticFiles' | 'compressedFiles'>,
  names: readonly string[],
  { folder, manifest }: Release,
  as: WriteJob['as'],
  workerPool: WorkerPool,
): Promise<void> {
  const copying = names.map(async (name) => {
    const built = await readFile(join(staticFiles, name));
    const bytes = withPublicUrl(name, built, manifest.origin.publicUrl);
    const siblings: WriteJob['siblings'] = hasBuiltSiblings(name, built)
      ? { from: join(compressedFiles, name) }
      : 'best';
    return workerPool.run({ file: join(folder, name), bytes, siblings, as });
  });
  // A release cannot be removed while files are still being written.
  const ends = await Promise.allSettled(copying);
  const files = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  await orDiscardStaged(files, async () => {
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (as === 'staged') await commitStaged(files);
  });
}

/** Its name is a hash of its content. */
export const isCard = (name: string): boolean => /^cards\/[^./]+\.png$/.test(name);

export const cardFile = ({ folder }: Release, path: string): string => join(folder, path);

export async function listCards({ folder }: Release): Promise<string[]> {
  await mkdir(join(folder, 'cards'), { recursive: true });
  const names = await readdir(join(folder, 'cards'));
  return names.map((name) => `/cards/${name}`);
}

/** As a hard link, because cards are immutable. */
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

/** A kill may have left it without its siblings: see `renamePage`. */
export async function copyPage(name: string, from: Release, to: Release): Promise<void> {
  await mkdir(dirname(join(to.folder, name)), { recursive: true });
  for (const ending of ['', '.br', '.gz']) {
    const file = name + ending;
    await unlessMissing(copyFile(join(from.folder, file), join(to.folder, file)), undefined);
  }
}

/** One syncfs(2): an fsync per file would take longer than rendering. */
export async function flush({ folder }: Pick<Release, 'folder'>): Promise<void> {
  await promisify(execFile)('sync', ['-f', folder]);
}

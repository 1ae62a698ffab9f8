import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { buildOrigin } from '@app/contract/pages';
import pLimit from 'p-limit';
import { StartupError } from '../startup-error.ts';
import { newId } from '../tokens.ts';
import { syncFolders } from './atomic-files.ts';
import { type Effort, isCompressible, withSiblings } from './compression.ts';
import { Manifest, type ReleaseOrigin } from './manifest.ts';

/** One whole copy of the site. `DATA_DIR/site` is a link to the one that is served. */
export interface Release {
  folder: string;
  manifest: Manifest;
}

const releasesFolder = (dataDir: string): string => join(dataDir, 'releases');
export const siteFolder = (dataDir: string): string => join(dataDir, 'site');
const manifestFile = (folder: string): string => `${folder}.manifest`;

/** The release that is served; null when there is none yet, or its manifest is lost. */
export async function openServedRelease(dataDir: string): Promise<Release | null> {
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
  const manifest = await Manifest.read(manifestFile(folder));
  return manifest && { folder, manifest };
}

export async function createRelease(dataDir: string, origin: ReleaseOrigin): Promise<Release> {
  const folder = join(releasesFolder(dataDir), `${origin.buildId.slice(0, 12)}-${newId().slice(0, 8)}`);
  await mkdir(folder, { recursive: true });
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

/** Removes every release but the given one, half-made ones of an earlier crash included. */
export async function removeOtherReleases(dataDir: string, { folder }: Release): Promise<void> {
  for (const name of await readdir(releasesFolder(dataDir))) {
    const path = join(releasesFolder(dataDir), name);
    if (path === folder || path === manifestFile(folder)) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** The paths of the build's own files, from its folder. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/**
 * Copies files of the build into a release, with the public address in place of
 * its stand-in, and compressed siblings.
 */
export async function copyStaticFiles(
  from: string,
  names: readonly string[],
  { folder, manifest }: Release,
): Promise<void> {
  const limit = pLimit(8);
  await Promise.all(
    names.map((name) =>
      limit(async () => {
        const bytes = await readFile(join(from, name));
        const mentionsOrigin = /\.(?:html|xml|txt|json|webmanifest)$/.test(name);
        const content = mentionsOrigin
          ? Buffer.from(bytes.toString().replaceAll(buildOrigin, manifest.origin.publicUrl))
          : bytes;
        await writeWithSiblings(join(folder, name), content, 'once');
      }),
    ),
  );
}

/** Writes into a release that nobody is served yet: no flushes, see `flush`. */
export async function writeWithSiblings(
  file: string,
  bytes: Uint8Array,
  effort: Effort,
): Promise<void> {
  const files = isCompressible(file) ? await withSiblings(bytes, effort) : { '': bytes };
  await mkdir(dirname(file), { recursive: true });
  await Promise.all(
    Object.entries(files).map(([ending, content]) => writeFile(file + ending, content)),
  );
}

/**
 * Flushes a whole release at once: syncfs(2) through coreutils, since flushing
 * each of ten thousands of files takes longer than rendering them.
 */
export async function flush({ folder }: Release): Promise<void> {
  await promisify(execFile)('sync', ['-f', folder]);
}

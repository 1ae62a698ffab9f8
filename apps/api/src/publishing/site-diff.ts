import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathOf } from '../server/site-files.ts';
import type { PublishJob } from './jobs.ts';
import type { Pages } from './pages.ts';
import { isCard, isHashedAsset, listFiles, type Release } from './release.ts';

/** How a release differs from what it should be. */
export interface SiteDiff {
  /** Paths of pages that are missing, incomplete, of another version, or not to be there. */
  stale: Set<string>;
  /**
   * How many pages of posts are not what the database says, though no job was left to bring them
   * up to date: a backup of the database or of the files was restored, or somebody changed them.
   */
  unexplained: number;
  /** Files of the build that are missing. */
  missingStatics: string[];
  /** Files that have no business being there. */
  leftOver: string[];
}

/** How many entries are compared before the event loop gets a turn. */
const entriesAtOnce = 2_000;

/** Compares a release with the database, the build and the waiting jobs. */
export async function diffSite(
  release: Release,
  pages: Pages,
  staticFiles: string,
  jobs: readonly PublishJob[],
): Promise<SiteDiff> {
  const wanted = await pages.all();
  const statics = new Set(await listFiles(staticFiles));
  const { siblings, ...found } = await sortFiles(release, wanted, statics);
  const isWhole = (path: string): boolean => siblings.get(path) === 3;
  const { stale, changed } = await compare(release, wanted, isWhole);

  const promised = new Set(jobs.flatMap(({ paths }) => paths));
  const unexplained = changed.filter((path) => !promised.has(path)).length;
  // Every page that names posts is in doubt.
  if (stale.size > 0) for (const [path, version] of wanted) if (version === '') stale.add(path);
  for (const { paths } of jobs) {
    for (const path of [...paths, ...pages.lists]) stale.add(path);
  }
  return { stale, unexplained, ...found };
}

/** Pages that are not as they are wanted, and those of them whose versions say so. */
async function compare(
  { manifest }: Release,
  wanted: ReadonlyMap<string, string>,
  isWhole: (path: string) => boolean,
): Promise<{ stale: Set<string>; changed: string[] }> {
  const stale = new Set<string>();
  const changed: string[] = [];
  let looked = 0;
  for (const [path, version] of wanted) {
    looked += 1;
    if (looked % entriesAtOnce === 0) await nextTurn();
    const known = manifest.get(path)?.version;
    if (known === version && isWhole(path)) continue;
    stale.add(path);
    if (known !== undefined && known !== version) changed.push(path);
  }
  for (const path of manifest.paths()) {
    looked += 1;
    if (looked % entriesAtOnce === 0) await nextTurn();
    if (wanted.has(path)) continue;
    stale.add(path);
    changed.push(path);
  }
  return { stale, changed };
}

/** How many files each wanted page has, and what that leaves. */
async function sortFiles(
  { folder }: Release,
  wanted: ReadonlyMap<string, string>,
  statics: ReadonlySet<string>,
): Promise<{ siblings: Map<string, number>; missingStatics: string[]; leftOver: string[] }> {
  const siblings = new Map<string, number>();
  const missingStatics = new Set(statics);
  const leftOver: string[] = [];
  // Names only: with their types, tens of thousands of entries weigh on the process for minutes.
  let looked = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    looked += 1;
    if (looked % entriesAtOnce === 0) await nextTurn();
    if (isFolderName(name)) continue;
    const plain = name.replace(/\.(?:br|gz)$/, '');
    const path = pathOf(plain);
    if (wanted.has(path)) siblings.set(path, (siblings.get(path) ?? 0) + 1);
    else if (statics.has(plain)) missingStatics.delete(name);
    else if (!isHashedAsset(name) && !isCard(name)) leftOver.push(name);
  }
  return { siblings, missingStatics: [...missingStatics], leftOver };
}

/** Every file that is published has an ending, and no folder but this one. */
const isFolderName = (name: string): boolean =>
  name === '.well-known' || !name.slice(name.lastIndexOf('/') + 1).includes('.');

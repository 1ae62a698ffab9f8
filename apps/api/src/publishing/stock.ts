import { readdir } from 'node:fs/promises';
import type { PublishJob } from './jobs.ts';
import { listPaths, monthIndexPaths, type Pages } from './pages.ts';
import { isCard, isHashedAsset, listFiles, type Release } from './release.ts';

/** What a release is not as it should be. */
export interface Stock {
  /** Paths of pages that are missing, incomplete, of another version, or not to be there. */
  stale: Set<string>;
  /** Files of the build that are missing. */
  missingStatics: string[];
  /** Files that have no business being there. */
  leftOver: string[];
}

/** Compares a release with the database, the build and the waiting jobs. */
export async function takeStock(
  release: Release,
  pages: Pages,
  staticFiles: string,
  jobs: readonly PublishJob[],
): Promise<Stock> {
  const wanted = await pages.all();
  const statics = new Set(await listFiles(staticFiles));
  const { siblings, ...found } = await sortFiles(release, wanted, statics);
  const { manifest } = release;

  const stale = new Set<string>();
  for (const [path, version] of wanted) {
    if (manifest.get(path)?.version !== version || siblings.get(path) !== 3) stale.add(path);
  }
  for (const path of manifest.paths()) if (!wanted.has(path)) stale.add(path);
  // A backup of the one or the other was restored: every page that names posts is in doubt.
  if (stale.size > 0) for (const [path, version] of wanted) if (version === '') stale.add(path);
  for (const { paths } of jobs) {
    for (const path of [...paths, ...listPaths, ...monthIndexPaths]) stale.add(path);
  }
  return { stale, ...found };
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
  for (const name of await readdir(folder, { recursive: true })) {
    if (isFolderName(name)) continue;
    const plain = name.replace(/\.(?:br|gz)$/, '');
    const path = pathOf(plain);
    if (wanted.has(path)) siblings.set(path, (siblings.get(path) ?? 0) + 1);
    else if (statics.has(plain)) missingStatics.delete(name);
    else if (!isHashedAsset(name) && !isCard(name)) leftOver.push(name);
  }
  return { siblings, missingStatics: [...missingStatics], leftOver };
}

/** The inverse of `fileOf`: blog/feed.xml is itself, blog.html is /blog. */
function pathOf(name: string): string {
  const page = name.replace(/\.html$/, '');
  return page === name || !page.includes('.') ? `/${page}` : `/${name}`;
}

/** Every file that is published has an ending, and no folder but this one. */
const isFolderName = (name: string): boolean =>
  name === '.well-known' || !name.slice(name.lastIndexOf('/') + 1).includes('.');

import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTemporary } from '../files/atomic-files.ts';
import { pathOf } from '../server/site-files.ts';
import type { PublishJob } from './jobs.ts';
import type { Pages } from './pages.ts';
import { filesBelow, isCard, isHashedAsset, listFiles, type Release } from './release.ts';
import { pageFile } from './update-pages.ts';

interface SiteDiff {
  /** Paths of pages that are missing, incomplete, outdated or deleted. */
  stale: Set<string>;
  /**
   * Number of outdated or deleted pages without a publish job: a backup of the database or of the
   * files was restored, or the database was edited by hand.
   */
  unexplained: number;
  /** Paths of the unexplained pages that were deleted. */
  removed: string[];
  missingStatics: string[];
  /** Files that belong to no page and not to the build. */
  leftovers: string[];
}

type Versions = ReadonlyMap<string, string>;

const batchSize = 2_000;

export async function diffSite(
  release: Release,
  pages: Pages,
  staticFiles: string,
  jobs: readonly PublishJob[],
): Promise<SiteDiff> {
  const wanted = await pages.all();
  const { outdated, gone, changed } = await compareVersions(release, wanted);
  const isCurrent = (path: string): boolean => wanted.has(path) && !outdated.has(path);
  const statics = new Set(await listFiles(staticFiles));
  const { filesOfCurrent, ...found } = await classifyFiles(release, wanted, statics, isCurrent);
  const stale = new Set([...outdated, ...gone]);
  // Counting files is cheap; only if some are missing is each page checked.
  if (filesOfCurrent < wanted.size - outdated.size) {
    for (const path of await incompletePages(release, wanted)) stale.add(path);
  }

  const left = jobs.flatMap(({ paths }) => [...paths, ...pages.lists]);
  const queued = new Set([...left, ...release.manifest.failures.keys()]);
  const isUnexplained = (path: string): boolean => !queued.has(path);
  const removed = gone.filter(isUnexplained).sort();
  const unexplained = changed.filter(isUnexplained).length + removed.length;
  // Pages that list posts have no version of their own.
  if (stale.size > 0) for (const [path, version] of wanted) if (version === '') stale.add(path);
  for (const path of queued) stale.add(path);
  return { stale, unexplained, removed, ...found };
}

/**
 * @returns `outdated`: wanted pages that the release lacks, or has from another version or build;
 * `changed`: those of them that it has in another version; `gone`: its pages that are not wanted
 */
async function compareVersions(
  { manifest }: Release,
  wanted: Versions,
): Promise<{ outdated: Set<string>; changed: string[]; gone: string[] }> {
  const outdated = new Set<string>();
  const changed: string[] = [];
  const gone: string[] = [];
  let compared = 0;
  for (const [path, version] of wanted) {
    compared += 1;
    if (compared % batchSize === 0) await nextTurn();
    const known = manifest.get(path);
    if (known?.version === version && !known.isOfOtherBuild) continue;
    outdated.add(path);
    if (known && known.version !== version) changed.push(path);
  }
  for (const path of manifest.paths()) {
    compared += 1;
    if (compared % batchSize === 0) await nextTurn();
    if (!wanted.has(path)) gone.push(path);
  }
  return { outdated, changed, gone };
}

/** @returns also the number of files that belong to current pages */
async function classifyFiles(
  { folder }: Release,
  wanted: Versions,
  statics: ReadonlySet<string>,
  isCurrent: (path: string) => boolean,
): Promise<{ filesOfCurrent: number; missingStatics: string[]; leftovers: string[] }> {
  let filesOfCurrent = 0;
  const missingStatics = new Set(statics);
  const leftovers: string[] = [];

  function classify(name: string): void {
    const path = pathOf(name);
    // Without the check, a file like `blog` would count as that of the page /blog.
    if (wanted.has(path) && name.includes('.')) filesOfCurrent += isCurrent(path) ? 1 : 0;
    else if (statics.has(name)) missingStatics.delete(name);
    else if (isTemporary(name) || (!isHashedAsset(name) && !isCard(name))) leftovers.push(name);
  }

  for await (const names of filesBelow(folder)) for (const name of names) classify(name);
  return { filesOfCurrent, missingStatics: [...missingStatics], leftovers };
}

async function incompletePages(release: Release, wanted: Versions): Promise<string[]> {
  const incomplete: string[] = [];
  let looked = 0;
  for (const path of wanted.keys()) {
    looked += 1;
    if (looked % batchSize === 0) await nextTurn();
    if (!existsSync(pageFile(release, path))) incomplete.push(path);
  }
  return incomplete;
}

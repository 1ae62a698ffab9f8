import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { pathOf } from '../server/site-files.ts';
import { isTemporary } from './atomic-files.ts';
import type { PublishJob } from './jobs.ts';
import type { Pages } from './pages.ts';
import { filesBelow, isCard, isHashedAsset, listFiles, type Release } from './release.ts';

interface SiteDiff {
  /** Paths of pages that are missing, incomplete, outdated or deleted. */
  stale: Set<string>;
  /**
   * Number of outdated pages without a publish job: a backup of the database or of the files was
   * restored, or the database was edited by hand.
   */
  unexplained: number;
  /** Those of them that are no longer pages. */
  removed: string[];
  missingStatics: string[];
  /** Files that belong to no page and not to the build. */
  leftovers: string[];
}

const batchSize = 2_000;

export async function diffSite(
  release: Release,
  pages: Pages,
  staticFiles: string,
  jobs: readonly PublishJob[],
): Promise<SiteDiff> {
  const wanted = await pages.all();
  const statics = new Set(await listFiles(staticFiles));
  const { siblings, ...found } = await sortFiles(release, wanted, statics);
  const isComplete = (path: string): boolean => siblings.get(path) === 3;
  const { stale, changed } = await compare(release, wanted, isComplete);

  const left = jobs.flatMap(({ paths }) => [...paths, ...pages.lists]);
  const queued = new Set([...left, ...release.manifest.failures.keys()]);
  const unexplained = changed.filter((path) => !queued.has(path));
  const removed = unexplained.filter((path) => !wanted.has(path)).sort();
  // Pages that list posts have no version of their own.
  if (stale.size > 0) for (const [path, version] of wanted) if (version === '') stale.add(path);
  for (const path of queued) stale.add(path);
  return { stale, unexplained: unexplained.length, removed, ...found };
}

async function compare(
  { manifest }: Release,
  wanted: ReadonlyMap<string, string>,
  isComplete: (path: string) => boolean,
): Promise<{ stale: Set<string>; changed: string[] }> {
  const stale = new Set<string>();
  const changed: string[] = [];
  let compared = 0;
  for (const [path, version] of wanted) {
    compared += 1;
    if (compared % batchSize === 0) await yieldToEventLoop();
    const known = manifest.get(path);
    if (known?.version === version && !known.isOfOtherBuild && isComplete(path)) continue;
    stale.add(path);
    if (known && known.version !== version) changed.push(path);
  }
  for (const path of manifest.paths()) {
    compared += 1;
    if (compared % batchSize === 0) await yieldToEventLoop();
    if (wanted.has(path)) continue;
    stale.add(path);
    changed.push(path);
  }
  return { stale, changed };
}

async function sortFiles(
  { folder }: Release,
  wanted: ReadonlyMap<string, string>,
  statics: ReadonlySet<string>,
): Promise<{ siblings: Map<string, number>; missingStatics: string[]; leftovers: string[] }> {
  const siblings = new Map<string, number>();
  const missingStatics = new Set(statics);
  const leftovers: string[] = [];
  for await (const name of filesBelow(folder)) {
    const plain = name.replace(/\.(?:br|gz)$/, '');
    const path = pathOf(plain);
    if (wanted.has(path)) siblings.set(path, (siblings.get(path) ?? 0) + 1);
    else if (statics.has(plain)) missingStatics.delete(name);
    else if (isTemporary(name) || (!isHashedAsset(name) && !isCard(name))) leftovers.push(name);
  }
  return { siblings, missingStatics: [...missingStatics], leftovers };
}

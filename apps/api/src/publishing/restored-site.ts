import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Log } from '../log.ts';
import { unlessMissing } from '../unless-missing.ts';
import { openServedRelease, type Release } from './release.ts';

/** A restore writes it for the next start. */
export const restoredFile = 'restored.json';

const restoredSite = v.object({
  /** The folder in DATA_DIR with the site before the restore. It may not exist. */
  previous: v.string(),
});

export type RestoredSite = v.InferOutput<typeof restoredSite>;

const maxPaths = 100;

/** After a restore, logs the pages that only the previous site has. */
export async function reportRemovedPages(
  dataDir: string,
  { manifest }: Release,
  log: Log,
): Promise<void> {
  const file = join(dataDir, restoredFile);
  const text = await unlessMissing(readFile(file, 'utf8'), null);
  if (text === null) return;
  const { previous } = v.parse(restoredSite, JSON.parse(text));
  const folder = join(dataDir, previous);
  const replaced = await openServedRelease(folder, log);
  if (replaced) {
    await replaced.manifest.close();
    const removed = [...replaced.manifest.paths()].filter((path) => !manifest.get(path)).sort();
    const paths = removed.slice(0, maxPaths);
    log.warn({ previous: folder, removed: removed.length, paths }, 'restored an older site');
  }
  await rm(file);
}

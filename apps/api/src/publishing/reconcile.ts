import { join } from 'node:path';
import { removeFiles } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import type { JobQueue } from './job-queue.ts';
import { copyStaticFiles, flush, type Release } from './release.ts';
import type { ServedSite } from './served-site.ts';
import { diffSite } from './site-diff.ts';
import type { PageSource } from './update-pages.ts';

interface Reconciliation {
  log: Log;
  source: PageSource;
  site: ServedSite;
  jobs: JobQueue;
}

/** Syncs the files of an opened release with the database and the build. Call it under the lock. */
export async function reconcile(
  release: Release,
  { log, source, site, jobs }: Reconciliation,
): Promise<void> {
  const { pages, renderer } = source;
  const pending = jobs.open(release);
  const diff = await diffSite(release, pages, renderer.staticFiles, pending);
  if (diff.unexplained > 0) {
    log.warn(
      { pages: diff.unexplained, removed: diff.removed.length, paths: diff.removed.slice(0, 100) },
      'published pages do not match the database, as after restoring a backup: rendering them again',
    );
  }
  if (diff.missingStatics.length > 0) {
    await copyStaticFiles(renderer, diff.missingStatics, release);
    await flush(release);
  }
  await removeFiles(diff.leftovers.map((name) => join(release.folder, name)));
  const failed = await site.updateAndFlush(release, [...diff.stale]);
  await site.serveCards(release);
  await jobs.record(release, pending, failed);
  jobs.wake();
  const repaired = {
    stale: diff.stale.size,
    leftovers: diff.leftovers.length,
    missing: diff.missingStatics.length,
  };
  const isRepaired = Object.values(repaired).some((count) => count > 0);
  if (isRepaired) log.info(repaired, 'repaired published files');
}

import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { pathOf, type SiteFiles } from '../server/site-files.ts';
import type { JobQueue } from './job-queue.ts';
import { copyStaticFiles, type Release } from './release.ts';
import type { ServedSite } from './served-site.ts';
import type { PageSource } from './update-pages.ts';
import { type Damage, findDamage, verifyRelease } from './verification.ts';

const healthSource = 'published files';

interface Repairs {
  log: Log;
  health: Health;
  source: PageSource;
  site: ServedSite;
  siteFiles: SiteFiles;
  jobs: JobQueue;
  signal: AbortSignal;
}

/** Verifies every published file and repairs what is damaged. Slow. */
export async function verifyAndRepair(parts: Repairs): Promise<void> {
  const { source, site, signal } = parts;
  const { release } = site;
  if (!release) return;
  await verifyRelease({
    release,
    workerPool: source.workerPool,
    staticFiles: source.renderer.staticFiles,
    repair: (suspects) => site.lock(() => repair(release, suspects, parts)),
    signal,
  });
}

async function repair(
  release: Release,
  suspects: Damage,
  { log, health, source, site, siteFiles, jobs }: Repairs,
): Promise<void> {
  if (release !== site.release) return;
  const { renderer, workerPool } = source;
  const { staticFiles } = renderer;
  // Pages may have changed since they were verified.
  const all = { ...suspects, pages: [...suspects.pages, ...suspects.unrecorded] };
  const damage = await findDamage({ release, workerPool, staticFiles }, all);
  const count = damage.pages.length + damage.statics.length;
  if (count > 0) {
    log.error({ ...damage }, 'published files are damaged');
    const files = count === 1 ? '1 published file is' : `${count} published files are`;
    health.report(healthSource, `${files} damaged, and being repaired.`);
  }
  await copyStaticFiles(renderer, damage.statics, release, 'staged', workerPool);
  siteFiles.invalidate(damage.statics.map(pathOf));
  const failed = await site.updateAndFlush(release, [...damage.pages, ...damage.unrecorded]);
  // The job queue retries failures and reports them to health.
  await jobs.record(release, [], failed);
  health.clear(healthSource);
}

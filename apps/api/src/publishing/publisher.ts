import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingPage } from '@app/contract/blog/posts';
import { dataVersion } from '@app/db/data-version';
import type { Database } from '@app/db/open';
import { whenUnlocked } from '@app/db/write-transaction';
import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { pathOf, type SiteFiles } from '../server/site-files.ts';
import { removeFiles } from './atomic-files.ts';
import { createCards } from './cards.ts';
import { createFlushQueue } from './flush-queue.ts';
import { renderSite } from './full-render.ts';
import {
  countFailedPages,
  countJobs,
  deleteJobs,
  dueJobs,
  insertPublishJobs,
  type PublishJob,
  pendingJobs,
  recordFailure,
  untilNextAttempt,
} from './jobs.ts';
import { combinePages, type PublishedPages } from './pages.ts';
import { createRecompression } from './recompression.ts';
import {
  copyStaticFiles,
  isHashedAsset,
  listAssets,
  listFiles,
  openServedRelease,
  type Release,
  removeOtherReleases,
  serveRelease,
} from './release.ts';
import type { Renderer } from './renderer.ts';
import { diffSite } from './site-diff.ts';
import { flushPages, type PageFailure, type Update, updatePages } from './update-pages.ts';
import { type Damage, findDamage, verifyRelease } from './verification.ts';
import type { WorkerPool } from './worker-pool.ts';

const rebuildMilliseconds = 60_000;

const retryMilliseconds = 10_000;

/** How soon jobs of another process, such as an import, are found. */
const watchMilliseconds = 1_000;

const healthSource = 'publishing';

const damageSource = 'published files';

/** After the start: verifying competes with the first visitors. */
const verifyMilliseconds = 2_000;

const maxLoggedPages = 5;

/** Also limits open files. */
const batchSize = 64;

/** For readers: a page that became a redirect is removed. */
interface Changes {
  written: string[];
  /** Of the job's own paths. */
  removed: string[];
}

/** `pages` are the pending ones; empty while the first site is being published. */
export type PublishResult = Changes &
  ({ state: 'done' } | { state: 'pending'; reason: string; pages: PendingPage[] });

type Failures = ReadonlyMap<string, PageFailure>;

export type Publisher = ReturnType<typeof createPublisher>;

interface PublisherParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  /** They may republish pages. */
  createPages(republish: (paths: string[]) => void): readonly PublishedPages[];
  renderer: Renderer;
  siteFiles: SiteFiles;
  workerPool: WorkerPool;
  dataDir: string;
  publicUrl: string;
}

/**
 * Keeps the published files in sync with the database.
 *
 * A job holds paths, never content: a page is rendered from the current database. So jobs are
 * idempotent and may run late or in any order.
 */
export function createPublisher(parts: PublisherParts) {
  const { db, clock, log, health, renderer, siteFiles, workerPool, dataDir, publicUrl } = parts;
  const pages = combinePages(
    parts.createPages((paths) => {
      insertPublishJobs(db, clock.now(), paths);
      // Without a site yet, the first one starts with the pending jobs.
      if (served) scheduleRetry(0);
    }),
  );
  const cards = createCards({ log, siteFiles, renderer });
  const source = { pages, renderer, workerPool };
  const lock = pLimit(1);
  const flushQueue = createFlushQueue(settleFlushed);
  const recompression = createRecompression({ log, siteFiles, lock });
  let served: Release | undefined;
  let changedDuringRebuild: Set<string> | undefined;
  let rebuilding: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let watchTimer: NodeJS.Timeout | undefined;
  let rebuildTimer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let verifying: Promise<void> | undefined;
  const stopping = new AbortController();

  /** Ids of jobs that are running or queued in this process. */
  const activeJobs = new Set<number>();
  const backgroundRuns = new Set<Promise<boolean>>();

  // Redirect pages are for static hosts; here the app redirects.
  const isRedirect = (path: string): boolean => {
    const page = served?.manifest.get(path);
    return page !== undefined && pages.isRedirect(path, page.version);
  };
  siteFiles.hide(isRedirect);

  const isServed = (path: string): boolean =>
    served?.manifest.get(path) !== undefined && !isRedirect(path);

  async function updateServed(release: Release, paths: Iterable<string>): Promise<Update> {
    const changed = (changedPaths: Iterable<string>) => siteFiles.invalidate(changedPaths);
    const update = await updatePages(release, paths, source, changed);
    cards.update(update.paths);
    recompression.update(update.paths);
    for (const path of update.paths) changedDuringRebuild?.add(path);
    return update;
  }

  async function updateAndFlush(release: Release, paths: Iterable<string>): Promise<Failures> {
    return flushed(release, await updateServed(release, paths));
  }

  /** Before the job takes the lock, so that other jobs can run. */
  async function runJob(job: PublishJob): Promise<PublishResult> {
    await pages.prepare(job.paths);
    return lock(() => attemptJob(job));
  }

  async function attemptJob(job: PublishJob): Promise<PublishResult> {
    if (!served) {
      const reason = 'The site is being published for the first time.';
      return { state: 'pending', reason, pages: [], written: [], removed: [] };
    }
    const before = job.paths.filter(isServed);
    const update = await updateServed(served, job.paths);
    const changes = {
      written: [...update.paths].filter((path) => update.written.has(path) && isServed(path)),
      removed: before.filter((path) => !isServed(path)),
    };
    // An author waits for the first attempt alone.
    if (update.failed.size === 0 && job.attempts === 0) {
      flushQueue.add({ job, release: served, pages: update.written });
      return { state: 'done', ...changes };
    }
    const failed = await flushed(served, update);
    await settleJob(job, failed);
    if (failed.size === 0) return { state: 'done', ...changes };
    const pages = [...failed].map(([path, { reason }]) => ({ path, reason: `${reason}.` }));
    return { state: 'pending', reason: sentenceOf(failed), pages, ...changes };
  }

  async function settleJob(job: PublishJob, failed: Failures): Promise<void> {
    for (const [path, { error, reason }] of [...failed].slice(0, maxLoggedPages)) {
      log.error({ err: error, job: job.id, path, attempts: job.attempts + 1 }, `a page ${reason}`);
    }
    try {
      if (failed.size === 0) {
        await deleteJobs(db, [job]);
      } else {
        const [first] = failed.values();
        const reason = String(first?.error);
        await recordFailure(db, job, { now: clock.now(), paths: [...failed.keys()], reason });
      }
      reportFailures();
    } catch (error) {
      log.error({ err: error, job: job.id }, 'could not update a publish job');
    }
    scheduleRetry();
  }

  async function settleFlushed(jobs: readonly PublishJob[], failed: Failures): Promise<void> {
    try {
      if (failed.size === 0) await deleteJobs(db, jobs);
      else await settleJobs(jobs, failed);
    } catch (error) {
      log.error({ err: error }, 'could not delete publish jobs');
    }
  }

  function reportFailures(): void {
    const pages = countFailedPages(db);
    const what = pages === 1 ? '1 page' : `${pages} pages`;
    if (pages === 0) health.clear(healthSource);
    else health.report(healthSource, `${what} could not be published, and will be retried.`);
  }

  /** @param delay in milliseconds; by default until the next failed job is due */
  function scheduleRetry(delay?: number): void {
    if (isStopped) return;
    clearTimeout(retryTimer);
    let wait: number | undefined = retryMilliseconds;
    try {
      wait = delay ?? untilNextAttempt(db, clock.now());
    } catch (error) {
      log.error({ err: error }, 'could not query pending pages');
    }
    if (wait === undefined) return;
    retryTimer = setTimeout(() => {
      retryDue().catch((error: unknown) => {
        log.error({ err: error }, 'could not query pending pages');
        scheduleRetry();
      });
    }, wait).unref();
  }

  async function retryDue(): Promise<void> {
    const jobs = dueJobs(db, clock.now()).filter(
      ({ id }) => !activeJobs.has(id) && !flushQueue.has(id),
    );
    await runJobs(jobs);
    scheduleRetry();
  }

  /** Costs a few microseconds as long as no other process writes. */
  function watchJobs(): void {
    let seen = dataVersion(db);
    clearInterval(watchTimer);
    watchTimer = setInterval(() => {
      try {
        const version = dataVersion(db);
        if (version !== seen) scheduleRetry(0);
        seen = version;
      } catch (error) {
        log.error({ err: error }, 'could not look for pages of other processes');
      }
    }, watchMilliseconds).unref();
  }

  /** @returns whether all succeeded */
  async function runJobs(jobs: readonly PublishJob[]): Promise<boolean> {
    let allDone = true;
    for (const { id } of jobs) activeJobs.add(id);
    try {
      for (const job of jobs) {
        if (isStopped) return false;
        const { state } = await runJob(job);
        allDone &&= state === 'done';
      }
    } finally {
      for (const { id } of jobs) activeJobs.delete(id);
    }
    return allDone;
  }

  async function backgroundDone(): Promise<void> {
    await Promise.all(backgroundRuns);
  }

  async function settleJobs(jobs: readonly PublishJob[], failed: Failures): Promise<void> {
    const named = new Set<string>();
    const done: PublishJob[] = [];
    for (const job of jobs) {
      const own = new Map([...failed].filter(([path]) => job.paths.includes(path)));
      for (const path of own.keys()) named.add(path);
      if (own.size > 0) await settleJob(job, own);
      else done.push(job);
    }
    await deleteJobs(db, done);
    const others = [...failed].filter(([path]) => !named.has(path));
    if (others.length > 0) {
      const paths = others.map(([path]) => path);
      for (const job of await whenUnlocked(() => insertPublishJobs(db, clock.now(), paths))) {
        await settleJob(job, new Map(others.filter(([path]) => job.paths.includes(path))));
      }
    }
    reportFailures();
    // Jobs that arrived before there was a site.
    scheduleRetry(0);
  }

  async function rebuild(): Promise<void> {
    const began = performance.now();
    await removeOtherReleases(dataDir, served);
    const jobs = pendingJobs(db);
    if (served) await addNewAssets(served);
    changedDuringRebuild = new Set();
    const site = { dataDir, publicUrl, source, served, log, isStopped: () => isStopped };
    const { release, pages: count, failed } = await renderSite(site);

    await lock(async () => {
      const changed = [...(changedDuringRebuild ?? [])];
      changedDuringRebuild = undefined;
      try {
        for (let first = 0; first < changed.length; first += batchSize) {
          const batch = changed.slice(first, first + batchSize);
          const update = await updatePages(release, batch, source, () => undefined);
          for (const path of update.paths) failed.delete(path);
          for (const [path, failure] of await flushed(release, update)) failed.set(path, failure);
        }
        await flushQueue.settled();
        await serveRelease(dataDir, release);
      } catch (error) {
        // The next attempt removes its files.
        await release.manifest.close();
        throw error;
      }
      await served?.manifest.close();
      served = release;
      siteFiles.invalidateAll();
      await cards.serve(release);
      recompression.serve(release);
      await settleJobs(jobs, failed);
      await removeOtherReleases(dataDir, release);
    });
    const milliseconds = Math.round(performance.now() - began);
    log.info({ pages: count, milliseconds }, 'republished all pages');
  }

  /**
   * Pages that change during a rebuild refer to the new build's assets. Assets of both builds are
   * not written again while they are served.
   */
  async function addNewAssets(release: Release): Promise<void> {
    const present = new Set(await listAssets(release));
    const names = await listFiles(renderer.staticFiles);
    const missing = names.filter((name) => isHashedAsset(name) && !present.has(name));
    await copyStaticFiles(renderer.staticFiles, missing, release, 'staged', workerPool);
  }

  async function rebuildInBackground(): Promise<void> {
    try {
      await rebuild();
    } catch (error) {
      changedDuringRebuild = undefined;
      if (isStopped) return;
      log.error({ err: error }, 'could not publish the new build; still serving the old one');
      rebuildTimer = setTimeout(() => {
        rebuilding = rebuildInBackground();
      }, rebuildMilliseconds).unref();
    }
  }

  async function reconcile(release: Release): Promise<void> {
    const jobs = pendingJobs(db);
    const diff = await diffSite(release, pages, renderer.staticFiles, jobs);
    if (diff.unexplained > 0) {
      log.warn(
        { pages: diff.unexplained },
        'published pages do not match the database, as after restoring a backup: rendering them again',
      );
    }
    await copyStaticFiles(renderer.staticFiles, diff.missingStatics, release, 'staged', workerPool);
    await removeFiles(diff.leftovers.map((name) => join(release.folder, name)));
    const failed = await updateMany(release, [...diff.stale]);
    await cards.serve(release);
    await settleJobs(jobs, failed);
    await removeOtherReleases(dataDir, release);
    const repaired = {
      stale: diff.stale.size,
      leftovers: diff.leftovers.length,
      missing: diff.missingStatics.length,
    };
    const isRepaired = Object.values(repaired).some((count) => count > 0);
    if (isRepaired) log.info(repaired, 'repaired published files');
  }

  async function updateMany(release: Release, paths: readonly string[]): Promise<Failures> {
    const failed = new Map<string, PageFailure>();
    for (let first = 0; first < paths.length; first += batchSize) {
      const batch = paths.slice(first, first + batchSize);
      await pages.prepare(batch);
      const failures = await updateAndFlush(release, batch);
      for (const [path, failure] of failures) failed.set(path, failure);
    }
    return failed;
  }

  /** Under the lock. */
  async function repair(release: Release, suspects: Damage): Promise<void> {
    if (release !== served) return;
    const { staticFiles } = renderer;
    const all = { ...suspects, pages: [...suspects.pages, ...suspects.unrecorded] };
    const damage = await findDamage({ release, workerPool, staticFiles }, all);
    const count = damage.pages.length + damage.statics.length;
    if (count > 0) {
      log.error({ ...damage }, 'published files are damaged');
      const files = count === 1 ? '1 published file is' : `${count} published files are`;
      health.report(damageSource, `${files} damaged, and being repaired.`);
    }
    await copyStaticFiles(staticFiles, damage.statics, release, 'staged', workerPool);
    siteFiles.invalidate(damage.statics.map(pathOf));
    const failed = await updateAndFlush(release, [...damage.pages, ...damage.unrecorded]);
    // Failures become publish jobs, which report to health themselves.
    await settleJobs([], failed);
    health.clear(damageSource);
  }

  async function verify(): Promise<void> {
    const release = served;
    if (!release) return;
    await verifyRelease({
      release,
      workerPool,
      staticFiles: renderer.staticFiles,
      repair: (suspects) => lock(() => repair(release, suspects)),
      signal: stopping.signal,
    });
  }

  async function retryFailed(): Promise<void> {
    try {
      const paths = await pages.retryFailed(stopping.signal);
      if (paths.length === 0) return;
      await runJobs(await whenUnlocked(() => insertPublishJobs(db, clock.now(), paths)));
    } catch (error) {
      if (!isStopped) log.error({ err: error }, 'could not retry pages that had failed');
    }
  }

  async function verifyInBackground(): Promise<void> {
    try {
      await pause(verifyMilliseconds, undefined, { ref: false, signal: stopping.signal });
      await verify();
    } catch (error) {
      if (!isStopped) log.error({ err: error }, 'could not verify published files');
    }
    // Both run at the lowest priority: damage is to be found first.
    if (served) recompression.serve(served);
  }

  return {
    pages,

    /**
     * Syncs the files with the database and the build. Resolves as soon as the site can be served:
     * a new build is rendered in the background.
     */
    async start(): Promise<void> {
      watchJobs();
      // Already open when a previous start failed.
      const release = served ?? (await openServedRelease(dataDir, log));
      if (!release) return rebuild();
      served = release;
      const { origin } = release.manifest;
      if (origin.buildId === renderer.buildId && origin.publicUrl === publicUrl) {
        await lock(() => reconcile(release));
        void retryFailed();
        verifying = verifyInBackground();
        return;
      }
      rebuilding = rebuildInBackground();
    },

    /** Never throws: failures stay in the table and are retried. */
    async publish(job: PublishJob): Promise<PublishResult> {
      activeJobs.add(job.id);
      try {
        return await runJob(job);
      } finally {
        activeJobs.delete(job.id);
      }
    },

    /**
     * Runs committed jobs one by one, so that `publish` waits for one of them at most. Returns
     * whether all succeeded. Never throws: failures, and jobs cut off by a stop, stay in the table
     * and are retried.
     */
    publishInBackground(jobs: readonly PublishJob[]): Promise<boolean> {
      const run = runJobs(jobs).finally(() => backgroundRuns.delete(run));
      backgroundRuns.add(run);
      return run;
    },

    /** Slow; runs after each start. */
    verify,

    /** No job of `publishInBackground` is running. Its pages may not be flushed yet. */
    backgroundDone,

    /** No new build is being rendered, no job runs in the background, and all pages are flushed. */
    async settled(): Promise<void> {
      await rebuilding;
      await backgroundDone();
      await flushQueue.settled();
    },

    /** Cards may have failed. */
    cardsSettled: (): Promise<void> => cards.settled(),

    depth: async (): Promise<number> => countJobs(db),

    async stop(): Promise<void> {
      isStopped = true;
      stopping.abort();
      clearTimeout(retryTimer);
      clearTimeout(rebuildTimer);
      clearInterval(watchTimer);
      await rebuilding;
      await verifying;
      await recompression.stop();
      await backgroundDone();
      await lock(async () => undefined);
      await flushQueue.settled();
      await served?.manifest.close();
      await cards.stop();
    },
  };
}

const flushed = async (release: Release, { written, failed }: Update): Promise<Failures> =>
  new Map([...failed, ...(await flushPages(release, written))]);

/** For the author. */
function sentenceOf(failed: Failures): string {
  const [first] = failed;
  if (!first) throw new Error('no failed pages');
  const [path, { reason }] = first;
  const others = failed.size - 1;
  if (others === 0) return `${path} ${reason}.`;
  return `${path} ${reason}, nor could ${others} other ${others === 1 ? 'page' : 'pages'}.`;
}

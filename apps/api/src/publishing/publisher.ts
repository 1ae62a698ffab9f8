import { join } from 'node:path';
import type { Database } from '@app/db/open';
import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { removeFiles } from './atomic-files.ts';
import { createCards } from './cards.ts';
import {
  countJobs,
  deleteJobs,
  insertPublishJob,
  type PublishJob,
  pendingJobs,
  recordFailure,
} from './jobs.ts';
import { createPages } from './pages.ts';
import { createPress } from './press.ts';
import {
  copyStaticFiles,
  isHashedAsset,
  listFiles,
  openServedRelease,
  type Release,
  removeOtherReleases,
  serveRelease,
} from './release.ts';
import type { Renderer } from './renderer.ts';
import type { SiteFiles } from './site-files.ts';
import { takeStock } from './stock.ts';
import { updatePages } from './update-pages.ts';
import { makeWholeSite } from './whole-site.ts';

/** How long after a failure the waiting jobs are tried again. */
const retryMilliseconds = 10_000;

/** How many stale pages are mended together: their files are all open at the same time. */
const pagesAtOnce = 64;

export type PublishResult = { state: 'done' } | { state: 'pending'; reason: string };

export type Publisher = ReturnType<typeof createPublisher>;

interface PublisherParts {
  db: Database;
  clock: Clock;
  log: Log;
  renderer: Renderer;
  siteFiles: SiteFiles;
  dataDir: string;
  publicUrl: string;
}

/**
 * Keeps the published files as the database says they should be.
 *
 * A job names paths, never contents: what a path shows is asked of the database
 * when it is rendered. So jobs may be done twice, late, or in any order, and the
 * files still come out right.
 */
export function createPublisher(parts: PublisherParts) {
  const { db, clock, log, renderer, siteFiles, dataDir, publicUrl } = parts;
  const pages = createPages(db);
  const press = createPress();
  const cards = createCards({ log, siteFiles, drawing: renderer.drawing });
  const source = { pages, renderer, press };
  const exclusively = pLimit(1);
  let served: Release | undefined;
  /** While a new release is made: the paths that changed meanwhile. */
  let changedMeanwhile: Set<string> | undefined;
  let rebuilding: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let rebuildTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function updateServed(release: Release, paths: Iterable<string>): Promise<void> {
    const updated = await updatePages(release, paths, source);
    siteFiles.forget(updated);
    cards.follow(updated);
    for (const path of updated) changedMeanwhile?.add(path);
  }

  async function tryJob(job: PublishJob): Promise<PublishResult> {
    if (!served) {
      return { state: 'pending', reason: 'The site is being published for the first time.' };
    }
    try {
      await updateServed(served, job.paths);
      await deleteJobs(db, [job]);
      return { state: 'done' };
    } catch (error) {
      log.error({ err: error, job: job.id, paths: job.paths }, 'pages could not be published');
      await recordFailure(db, job, String(error)).catch((cause: unknown) => {
        log.error({ err: cause, job: job.id }, 'the failure could not be written down');
      });
      retryLater();
      return { state: 'pending', reason: 'The pages could not be written just now.' };
    }
  }

  function retryLater(): void {
    if (isStopped) return;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => {
      retryPending().catch((error: unknown) => {
        log.error({ err: error }, 'the waiting pages could not be looked up');
        retryLater();
      });
    }, retryMilliseconds).unref();
  }

  async function retryPending(): Promise<void> {
    for (const job of await pendingJobs(db)) {
      if (isStopped) return;
      await exclusively(() => tryJob(job));
    }
  }

  async function tryLater(paths: readonly string[]): Promise<void> {
    await insertPublishJob(db, clock.now(), paths);
    retryLater();
  }

  /** Renders the whole site into a new release and serves it in place of the old one. */
  async function rebuild(): Promise<void> {
    const began = performance.now();
    const jobs = await pendingJobs(db);
    if (served) await addNewAssets(served);
    changedMeanwhile = new Set();
    const site = { dataDir, publicUrl, source, served, log, isStopped: () => isStopped };
    const { release, pages: count, failed } = await makeWholeSite(site);

    await exclusively(async () => {
      const missed = changedMeanwhile ?? [];
      changedMeanwhile = undefined;
      await updatePages(release, missed, source);
      await serveRelease(dataDir, release);
      await served?.manifest.close();
      served = release;
      siteFiles.forgetAll();
      await cards.serve(release);
      await deleteJobs(db, jobs);
      if (failed.length > 0) await tryLater(failed);
      await removeOtherReleases(dataDir, release);
    });
    const milliseconds = Math.round(performance.now() - began);
    log.info({ pages: count, milliseconds }, 'the whole site is published anew');
  }

  /**
   * Pages that change from now on refer to the new build's assets. Those it shares
   * with the old one are being read, and stay as they are.
   */
  async function addNewAssets(release: Release): Promise<void> {
    const present = new Set(await listFiles(release.folder));
    const names = await listFiles(renderer.staticFiles);
    const missing = names.filter((name) => isHashedAsset(name) && !present.has(name));
    await copyStaticFiles(renderer.staticFiles, missing, release, 'staged', press);
  }

  async function rebuildInBackground(): Promise<void> {
    try {
      await rebuild();
    } catch (error) {
      changedMeanwhile = undefined;
      if (isStopped) return;
      log.error({ err: error }, 'the new build could not be published; the old one stays');
      rebuildTimer = setTimeout(() => {
        rebuilding = rebuildInBackground();
      }, 6 * retryMilliseconds).unref();
    }
  }

  /** Finds what is missing, stale or left over in the served release, and mends it. */
  async function reconcile(release: Release): Promise<void> {
    const jobs = await pendingJobs(db);
    const stock = await takeStock(release, pages, renderer.staticFiles, jobs);
    await copyStaticFiles(renderer.staticFiles, stock.missingStatics, release, 'staged', press);
    await removeFiles(stock.leftOver.map((name) => join(release.folder, name)));
    await mend(release, [...stock.stale], pagesAtOnce);
    await cards.serve(release);
    await deleteJobs(db, jobs);
    await removeOtherReleases(dataDir, release);
    const mended = {
      stale: stock.stale.size,
      leftOver: stock.leftOver.length,
      missing: stock.missingStatics.length,
    };
    const isAsItWas = Object.values(mended).every((count) => count === 0);
    if (!isAsItWas) log.info(mended, 'the published files were mended');
  }

  /** Brings many pages up to date. One that fails becomes a job of its own and keeps no other back. */
  async function mend(release: Release, paths: readonly string[], atOnce: number): Promise<void> {
    for (let first = 0; first < paths.length; first += atOnce) {
      const some = paths.slice(first, first + atOnce);
      try {
        await updateServed(release, some);
      } catch (error) {
        if (some.length > 1) {
          await mend(release, some, 1);
          continue;
        }
        log.error({ err: error, paths: some }, 'a page could not be mended');
        await tryLater(some);
      }
    }
  }

  return {
    pages,

    /**
     * Brings the files in line with the database and the build. Returns as soon as
     * readers can be served: a new build replaces the old one in the background.
     */
    async start(): Promise<void> {
      served = (await openServedRelease(dataDir)) ?? undefined;
      if (!served) return rebuild();
      const { origin } = served.manifest;
      if (origin.buildId === renderer.buildId && origin.publicUrl === publicUrl) {
        return reconcile(served);
      }
      rebuilding = rebuildInBackground();
    },

    /** Does a committed job now. Never throws: what fails stays in the table and is tried again. */
    publish: (job: PublishJob): Promise<PublishResult> => exclusively(() => tryJob(job)),

    /**
     * Does committed jobs that nobody waits for, one by one, so that who publishes meanwhile waits
     * for one of them at most. Says whether all of them are done. Never throws: what fails stays
     * in the table and is tried again, and so is what a stop leaves.
     */
    async publishBehind(jobs: readonly PublishJob[]): Promise<boolean> {
      let areDone = true;
      for (const job of jobs) {
        if (isStopped) return false;
        const { state } = await exclusively(() => tryJob(job));
        areDone &&= state === 'done';
      }
      return areDone;
    },

    /** Resolves when no new release is being made. */
    settled: async (): Promise<void> => rebuilding,

    /** Resolves when the cards of all pages are drawn, but for those that failed. */
    cardsSettled: (): Promise<void> => cards.settled(),

    /** How many jobs wait. */
    depth: (): Promise<number> => countJobs(db),

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(retryTimer);
      clearTimeout(rebuildTimer);
      await rebuilding;
      await exclusively(async () => undefined);
      await served?.manifest.close();
      await cards.stop();
      await press.close();
    },
  };
}

import type { Database } from '@app/db/open';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { timed } from '../server/request-time.ts';
import type { SiteFiles } from '../server/site-files.ts';
import { createJobQueue, type PublishResult } from './job-queue.ts';
import type { PublishJob } from './jobs.ts';
import { createOldReleases } from './old-releases.ts';
import { combinePages, type IsRedirectPage, type PublishedPages } from './pages.ts';
import { createPublishHook, type PublishHookSettings } from './publish-hook.ts';
import { createRebuild } from './rebuild.ts';
import { reconcile } from './reconcile.ts';
import { openServedRelease, type Release } from './release.ts';
import type { Renderer } from './renderer.ts';
import { createServedSite } from './served-site.ts';
import { isOfBuild } from './update-pages.ts';

export type Publisher = ReturnType<typeof createPublisher>;

interface PublisherParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  createPages(republish: (paths: string[]) => void): readonly PublishedPages[];
  isRedirectPage: IsRedirectPage;
  renderer: Renderer;
  siteFiles: SiteFiles;
  dataDir: string;
  publicUrl: string;
  settings: { publishHook: PublishHookSettings | undefined };
}

/** Keeps the published files in sync with the database. */
export function createPublisher(parts: PublisherParts) {
  const { log, renderer, dataDir, publicUrl } = parts;
  const pages = combinePages(parts.createPages((paths) => jobs.enqueue(paths)));
  const stopping = new AbortController();
  const { signal } = stopping;
  const source = { pages, renderer, publicUrl };
  const hook = createPublishHook(parts);
  const site = createServedSite({ ...parts, source, hook });
  const jobs = createJobQueue({ ...parts, pages, site, hook, signal });
  const oldReleases = createOldReleases({ log, dataDir, signal });
  const rebuild = createRebuild({ ...parts, source, site, jobs, oldReleases, signal });

  async function retryUnrenderable(): Promise<void> {
    try {
      const paths = await pages.retryFailed(signal);
      if (paths.length > 0) await jobs.publishPaths(paths);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'could not retry pages that had failed');
    }
  }

  const reconcileWith = (release: Release) =>
    site.lock(() => reconcile(release, { log, source, site, jobs }));

  async function openSite(): Promise<void> {
    // Already open if an earlier call of `start` failed.
    const release = site.release ?? (await openServedRelease(dataDir, log));
    if (!release) return rebuild.run();
    site.open(release);
    const { manifest } = release;
    if (isOfBuild(manifest, source) && manifest.origin.files !== undefined) {
      await reconcileWith(release);
      void oldReleases.remove();
      void retryUnrenderable();
      return;
    }
    jobs.open(release);
    rebuild.runInBackground();
    // Otherwise a post that was withdrawn before a crash would be served until the rebuild ends.
    jobs.wake();
  }

  return {
    pages,

    /**
     * Syncs the files with the database and the build. Resolves as soon as the site can be served:
     * a new build is rendered in the background.
     */
    async start(): Promise<void> {
      jobs.watch();
      hook.start();
      await openSite();
    },

    /** Runs new jobs of other processes at once, instead of within a tenth of a second. */
    checkForJobs: jobs.checkForJobs,

    /**
     * Whether other servers deleted jobs that this one has not seen, because it was suspended or cut
     * off for more than a day. Resets to false.
     */
    takeMissedJobs: jobs.takeMissed,

    /**
     * Call it after missed jobs, and after the database was replaced while the server runs: new jobs
     * may have the ids of old ones.
     */
    async reconcile(): Promise<void> {
      await rebuild.settled();
      if (site.release) await reconcileWith(site.release);
    },

    /** Never throws: failures stay in the table and are retried. */
    publish: (job: PublishJob): Promise<PublishResult> => timed('publishing', () => jobs.run(job)),

    /**
     * Runs committed jobs one by one, so that `publish` waits for one of them at most. Returns
     * whether all succeeded. Never throws: failures, and jobs interrupted by a stop, stay in the
     * table and are retried.
     */
    publishInBackground: jobs.runInBackground,

    /** Resolves when no job of `publishInBackground` is running. Pages may not be flushed yet. */
    backgroundDone: jobs.backgroundDone,

    /**
     * Resolves when no new build is being rendered, no old release is being removed, no job runs in
     * the background, and all pages are flushed.
     */
    async settled(): Promise<void> {
      await rebuild.settled();
      await oldReleases.settled();
      await jobs.backgroundDone();
      await jobs.flushed();
    },

    cardsSettled: site.cardsSettled,

    /** The number of jobs that are not done, and of pages that failed. */
    depth: jobs.depth,

    /** Pages whose last update failed, by path. */
    failures: jobs.failures,

    /** Whether this server has stored a change of this page but cannot read it yet. */
    isAhead: jobs.isAhead,

    /** How long the last update took, in milliseconds; null before the first one. */
    lastDuration: jobs.lastDuration,

    async stop(): Promise<void> {
      stopping.abort();
      await rebuild.stop();
      await oldReleases.settled();
      await jobs.stop();
      await hook.stop();
      await site.stop();
    },
  };
}

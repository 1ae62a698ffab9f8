import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingPage } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import { whenUnlocked } from '@app/db/write-transaction';
import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { pathOf, type SiteFiles } from '../server/site-files.ts';
import { removeFiles } from './atomic-files.ts';
import { createCards } from './cards.ts';
import { makeWholeSite } from './full-render.ts';
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
import { type PageFailure, updatePages } from './update-pages.ts';
import { type Damage, findDamage, verifyRelease } from './verification.ts';
import type { Press } from './worker-pool.ts';

/** How long after a failure a new build is tried again. */
const rebuildMilliseconds = 60_000;

/** How long after the waiting jobs could not be read. */
const retryMilliseconds = 10_000;

/** The name under which health lists pages that could not be published. */
const healthSource = 'publishing';

/** Likewise for files that are not what the publisher wrote. */
const damageSource = 'published files';

/** How long after a start its files are verified: visitors who waited for it go first. */
const verifyMilliseconds = 2_000;

/** How many pages of a failed job are logged. */
const loggedPages = 5;

/** How many stale pages are mended together: their files are all open at the same time. */
const pagesAtOnce = 64;

/** `pages` are those that wait, none when the site as a whole does. */
export type PublishResult =
  | { state: 'done' }
  | { state: 'pending'; reason: string; pages: PendingPage[] };

type Failures = ReadonlyMap<string, PageFailure>;

export type Publisher = ReturnType<typeof createPublisher>;

interface PublisherParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  /** The pages of each feature. They may ask for pages to be published again. */
  createPages(republish: (paths: string[]) => void): readonly PublishedPages[];
  renderer: Renderer;
  siteFiles: SiteFiles;
  press: Press;
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
  const { db, clock, log, health, renderer, siteFiles, press, dataDir, publicUrl } = parts;
  const pages = combinePages(
    parts.createPages((paths) => {
      insertPublishJobs(db, clock.now(), paths);
      // The first site, once it is there, begins with the jobs that wait.
      if (served) scheduleRetry(0);
    }),
  );
  const cards = createCards({ log, siteFiles, renderer });
  const source = { pages, renderer, press };
  const exclusively = pLimit(1);
  let served: Release | undefined;
  /** While a new release is made: the paths that changed meanwhile. */
  let changedMeanwhile: Set<string> | undefined;
  let rebuilding: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let rebuildTimer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let verifying: Promise<void> | undefined;
  const stopping = new AbortController();

  /** Jobs that are being done, or wait for the ones before them. */
  const underway = new Set<number>();

  // A page that leads elsewhere is for hosts that serve files alone; here the app redirects.
  siteFiles.hide((path) => {
    const page = served?.manifest.get(path);
    return page !== undefined && pages.isRedirect(page.version);
  });

  async function updateServed(release: Release, paths: Iterable<string>): Promise<Failures> {
    const changed = (changedPaths: Iterable<string>) => siteFiles.forget(changedPaths);
    const { paths: updated, failed } = await updatePages(release, paths, source, changed);
    cards.follow(updated);
    for (const path of updated) changedMeanwhile?.add(path);
    return failed;
  }

  /** Bodies that are missing are rendered before it is the job's turn: others' jobs go on meanwhile. */
  async function doJob(job: PublishJob): Promise<PublishResult> {
    await pages.prepare(job.paths);
    return exclusively(() => tryJob(job));
  }

  async function tryJob(job: PublishJob): Promise<PublishResult> {
    if (!served) {
      const reason = 'The site is being published for the first time.';
      return { state: 'pending', reason, pages: [] };
    }
    const failed = await updateServed(served, job.paths);
    await finish(job, failed);
    if (failed.size === 0) return { state: 'done' };
    const pages = [...failed].map(([path, { reason }]) => ({ path, reason: `${reason}.` }));
    return { state: 'pending', reason: sentenceOf(failed), pages };
  }

  /** Deletes a job that is done, and keeps one that is not for the pages that failed. */
  async function finish(job: PublishJob, failed: Failures): Promise<void> {
    for (const [path, { error, reason }] of [...failed].slice(0, loggedPages)) {
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

  function reportFailures(): void {
    const pages = countFailedPages(db);
    const what = pages === 1 ? '1 page' : `${pages} pages`;
    if (pages === 0) health.clear(healthSource);
    else health.report(healthSource, `${what} could not be published, and will be retried.`);
  }

  /** Sets the timer to when the next failed job is due, or to when it is given. */
  function scheduleRetry(at?: number): void {
    if (isStopped) return;
    clearTimeout(retryTimer);
    let wait: number | undefined = retryMilliseconds;
    try {
      wait = at ?? untilNextAttempt(db, clock.now());
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
    const jobs = dueJobs(db, clock.now()).filter(({ id }) => !underway.has(id));
    await doAll(jobs);
    scheduleRetry();
  }

  /** Does the jobs one by one, others' in between; says whether all of them are done. */
  async function doAll(jobs: readonly PublishJob[]): Promise<boolean> {
    let areDone = true;
    for (const { id } of jobs) underway.add(id);
    try {
      for (const job of jobs) {
        if (isStopped) return false;
        const { state } = await doJob(job);
        areDone &&= state === 'done';
      }
    } finally {
      for (const { id } of jobs) underway.delete(id);
    }
    return areDone;
  }

  /**
   * Ends the jobs that were there when many pages were brought up to date. Pages that failed stay
   * in their jobs; those that no job named get new ones.
   */
  async function finishAll(jobs: readonly PublishJob[], failed: Failures): Promise<void> {
    const named = new Set<string>();
    const done: PublishJob[] = [];
    for (const job of jobs) {
      const own = new Map([...failed].filter(([path]) => job.paths.includes(path)));
      for (const path of own.keys()) named.add(path);
      if (own.size > 0) await finish(job, own);
      else done.push(job);
    }
    await deleteJobs(db, done);
    const others = [...failed].filter(([path]) => !named.has(path));
    if (others.length > 0) {
      const paths = others.map(([path]) => path);
      for (const job of await whenUnlocked(() => insertPublishJobs(db, clock.now(), paths))) {
        await finish(job, new Map(others.filter(([path]) => job.paths.includes(path))));
      }
    }
    reportFailures();
    // Whatever came while there was no site to publish to.
    scheduleRetry(0);
  }

  /** Renders the whole site into a new release and serves it in place of the old one. */
  async function rebuild(): Promise<void> {
    const began = performance.now();
    await removeOtherReleases(dataDir, served);
    const jobs = pendingJobs(db);
    if (served) await addNewAssets(served);
    changedMeanwhile = new Set();
    const site = { dataDir, publicUrl, source, served, log, isStopped: () => isStopped };
    const { release, pages: count, failed } = await makeWholeSite(site);

    await exclusively(async () => {
      const missed = [...(changedMeanwhile ?? [])];
      changedMeanwhile = undefined;
      try {
        for (let first = 0; first < missed.length; first += pagesAtOnce) {
          const some = missed.slice(first, first + pagesAtOnce);
          const update = await updatePages(release, some, source, () => undefined);
          for (const path of update.paths) failed.delete(path);
          for (const [path, failure] of update.failed) failed.set(path, failure);
        }
        await serveRelease(dataDir, release);
      } catch (error) {
        // Its files are removed by the next attempt.
        await release.manifest.close();
        throw error;
      }
      await served?.manifest.close();
      served = release;
      siteFiles.forgetAll();
      await cards.serve(release);
      await finishAll(jobs, failed);
      await removeOtherReleases(dataDir, release);
    });
    const milliseconds = Math.round(performance.now() - began);
    log.info({ pages: count, milliseconds }, 'republished the whole site');
  }

  /**
   * Pages that change from now on refer to the new build's assets. Those it shares
   * with the old one are being read, and stay as they are.
   */
  async function addNewAssets(release: Release): Promise<void> {
    const present = new Set(await listAssets(release));
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
      log.error({ err: error }, 'could not publish the new build; still serving the old one');
      rebuildTimer = setTimeout(() => {
        rebuilding = rebuildInBackground();
      }, rebuildMilliseconds).unref();
    }
  }

  /** Finds what is missing, stale or left over in the served release, and repairs it. */
  async function reconcile(release: Release): Promise<void> {
    const jobs = pendingJobs(db);
    const diff = await diffSite(release, pages, renderer.staticFiles, jobs);
    if (diff.unexplained > 0) {
      log.warn(
        { pages: diff.unexplained },
        'the published pages are not those of this database, as after restoring a backup: they are rendered again',
      );
    }
    await copyStaticFiles(renderer.staticFiles, diff.missingStatics, release, 'staged', press);
    await removeFiles(diff.leftOver.map((name) => join(release.folder, name)));
    const failed = await updateMany(release, [...diff.stale]);
    await cards.serve(release);
    await finishAll(jobs, failed);
    await removeOtherReleases(dataDir, release);
    const repaired = {
      stale: diff.stale.size,
      leftOver: diff.leftOver.length,
      missing: diff.missingStatics.length,
    };
    const isAsItWas = Object.values(repaired).every((count) => count === 0);
    if (!isAsItWas) log.info(repaired, 'repaired published files');
  }

  /** Brings many pages up to date, so many at a time as may be open at once. */
  async function updateMany(release: Release, paths: readonly string[]): Promise<Failures> {
    const failed = new Map<string, PageFailure>();
    for (let first = 0; first < paths.length; first += pagesAtOnce) {
      const some = paths.slice(first, first + pagesAtOnce);
      await pages.prepare(some);
      const failures = await updateServed(release, some);
      for (const [path, failure] of failures) failed.set(path, failure);
    }
    return failed;
  }

  /** Replaces what is damaged; anything may have changed since it was found. */
  async function repair(release: Release, suspects: Damage): Promise<void> {
    if (release !== served) return;
    const { staticFiles } = renderer;
    const all = { ...suspects, pages: [...suspects.pages, ...suspects.unrecorded] };
    const damage = await findDamage({ release, press, staticFiles }, all);
    const count = damage.pages.length + damage.statics.length;
    if (count > 0) {
      log.error({ ...damage }, 'published files were damaged by something else');
      const files = count === 1 ? '1 published file is' : `${count} published files are`;
      health.report(damageSource, `${files} damaged, and being repaired.`);
    }
    await copyStaticFiles(staticFiles, damage.statics, release, 'staged', press);
    siteFiles.forget(damage.statics.map(pathOf));
    const failed = await updateServed(release, [...damage.pages, ...damage.unrecorded]);
    // What fails is the matter of a publish job from then on.
    await finishAll([], failed);
    health.clear(damageSource);
  }

  async function verify(): Promise<void> {
    const release = served;
    if (!release) return;
    await verifyRelease({
      release,
      press,
      staticFiles: renderer.staticFiles,
      repair: (suspects) => exclusively(() => repair(release, suspects)),
      signal: stopping.signal,
    });
  }

  /** What could not be rendered gets a second chance at each start. */
  async function retryFailed(): Promise<void> {
    try {
      const paths = await pages.retryFailed(stopping.signal);
      if (paths.length === 0) return;
      await doAll(await whenUnlocked(() => insertPublishJobs(db, clock.now(), paths)));
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
  }

  return {
    pages,

    /**
     * Brings the files in line with the database and the build. Returns as soon as
     * readers can be served: a new build replaces the old one in the background.
     */
    async start(): Promise<void> {
      // A start that failed before has it open already.
      const release = served ?? (await openServedRelease(dataDir, log));
      if (!release) return rebuild();
      served = release;
      const { origin } = release.manifest;
      if (origin.buildId === renderer.buildId && origin.publicUrl === publicUrl) {
        await exclusively(() => reconcile(release));
        void retryFailed();
        verifying = verifyInBackground();
        return;
      }
      rebuilding = rebuildInBackground();
    },

    /** Does a committed job now. Never throws: what fails stays in the table and is tried again. */
    async publish(job: PublishJob): Promise<PublishResult> {
      underway.add(job.id);
      try {
        return await doJob(job);
      } finally {
        underway.delete(job.id);
      }
    },

    /**
     * Does committed jobs that nobody waits for, one by one, so that who publishes meanwhile waits
     * for one of them at most. Says whether all of them are done. Never throws: what fails stays
     * in the table and is tried again, and so is what a stop leaves.
     */
    publishBehind: doAll,

    /**
     * Compares every published file with what was recorded of it, and repairs what differs. Takes
     * its time; a start does it in the background.
     */
    verify,

    /** Resolves when no new release is being made. */
    settled: async (): Promise<void> => rebuilding,

    /** Resolves when the cards of all pages are drawn, but for those that failed. */
    cardsSettled: (): Promise<void> => cards.settled(),

    /** How many jobs wait. */
    depth: async (): Promise<number> => countJobs(db),

    async stop(): Promise<void> {
      isStopped = true;
      stopping.abort();
      clearTimeout(retryTimer);
      clearTimeout(rebuildTimer);
      await rebuilding;
      await verifying;
      await exclusively(async () => undefined);
      await served?.manifest.close();
      await cards.stop();
    },
  };
}

/** Which page waits, and why: for the author. */
function sentenceOf(failed: Failures): string {
  const [first] = failed;
  if (!first) throw new Error('no page has failed');
  const [path, { reason }] = first;
  const others = failed.size - 1;
  if (others === 0) return `${path} ${reason}.`;
  return `${path} ${reason}, nor could ${others} other ${others === 1 ? 'page' : 'pages'}.`;
}

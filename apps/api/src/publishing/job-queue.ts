import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PendingPage } from '@app/contract/blog/posts';
import { dataVersion } from '@app/db/data-version';
import type { Database } from '@app/db/open';
import { whenUnlocked } from '@app/db/write-transaction';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { createFlushQueue } from './flush-queue.ts';
import {
  countFailedPages,
  deleteJobs,
  dueJobs,
  insertPublishJobs,
  type PublishJob,
  recordFailure,
  untilNextAttempt,
} from './jobs.ts';
import type { Pages } from './pages.ts';
import type { PublishHook } from './publish-hook.ts';
import type { ServedSite } from './served-site.ts';
import { type Failures, flushUpdate, type PageFailure } from './update-pages.ts';

const retryMilliseconds = 10_000;

/** How soon jobs of another process, such as an import, are found. */
const watchMilliseconds = 1_000;

const healthSource = 'publishing';

const maxLoggedPages = 5;

/** For readers: a page that became a redirect is removed. */
interface Changes {
  written: string[];
  /** Of the job's own paths. */
  removed: string[];
}

/** `pages` are the pending ones; empty while the first site is being published. */
export type PublishResult = Changes &
  ({ state: 'done' } | { state: 'pending'; reason: string; pages: PendingPage[] });

export type JobQueue = ReturnType<typeof createJobQueue>;

interface JobQueueParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  pages: Pages;
  site: ServedSite;
  hook: Pick<PublishHook, 'store'>;
  /** No job starts after it. */
  signal: AbortSignal;
}

/**
 * Runs the publish jobs of the database and retries those that fail.
 *
 * A job holds paths, never content: a page is rendered from the current database. So jobs are
 * idempotent and may run late or in any order.
 */
export function createJobQueue({
  db,
  clock,
  log,
  health,
  pages,
  site,
  hook,
  signal,
}: JobQueueParts) {
  const flushQueue = createFlushQueue(settleFlushed);
  /** Ids of jobs that are running or queued in this process. */
  const activeJobs = new Set<number>();
  const backgroundRuns = new Set<Promise<boolean>>();
  let lastDuration: number | null = null;
  let retryTimer: NodeJS.Timeout | undefined;
  let watchTimer: NodeJS.Timeout | undefined;

  /** Before the job takes the lock, so that other jobs can run. */
  async function runJob(job: PublishJob): Promise<PublishResult> {
    await pages.prepare(job.paths);
    return site.lock(async () => {
      const startedAt = clock.monotonic();
      const result = await attemptJob(job);
      lastDuration = clock.monotonic() - startedAt;
      return result;
    });
  }

  async function attemptJob(job: PublishJob): Promise<PublishResult> {
    const { release, isServed } = site;
    if (!release) {
      const reason = 'The site is being published for the first time.';
      return { state: 'pending', reason, pages: [], written: [], removed: [] };
    }
    const before = job.paths.filter(isServed);
    const update = await site.update(release, job.paths);
    const changes = {
      written: [...update.paths].filter((path) => update.written.has(path) && isServed(path)),
      removed: before.filter((path) => !isServed(path)),
    };
    // An author waits for the first attempt alone.
    if (update.failed.size === 0 && job.attempts === 0) {
      flushQueue.add({ job, release, pages: update.written });
      return { state: 'done', ...changes };
    }
    const failed = await flushUpdate(release, update);
    await settleJob(job, failed);
    if (failed.size === 0) return { state: 'done', ...changes };
    const pending = [...failed].map(([path, { reason }]) => ({ path, reason: `${reason}.` }));
    return { state: 'pending', reason: sentenceOf(failed), pages: pending, ...changes };
  }

  /** Their changes are stored first: a job that is left makes them again. */
  async function finish(jobs: readonly PublishJob[]): Promise<void> {
    await hook.store();
    await deleteJobs(db, jobs);
  }

  async function settleJob(job: PublishJob, failed: Failures): Promise<void> {
    for (const [path, { error, reason }] of [...failed].slice(0, maxLoggedPages)) {
      log.error({ err: error, job: job.id, path, attempts: job.attempts + 1 }, `a page ${reason}`);
    }
    try {
      if (failed.size === 0) {
        await finish([job]);
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
      if (failed.size === 0) await finish(jobs);
      else await settle(jobs, failed);
    } catch (error) {
      log.error({ err: error }, 'could not delete publish jobs');
    }
  }

  async function settle(jobs: readonly PublishJob[], failed: Failures): Promise<void> {
    const named = new Set<string>();
    const done: PublishJob[] = [];
    for (const job of jobs) {
      const own = failuresOf(job, failed);
      for (const path of own.keys()) named.add(path);
      if (own.size > 0) await settleJob(job, own);
      else done.push(job);
    }
    await finish(done);
    const others = [...failed.keys()].filter((path) => !named.has(path));
    if (others.length > 0) {
      for (const job of await whenUnlocked(() => insertPublishJobs(db, clock.now(), others))) {
        await settleJob(job, failuresOf(job, failed));
      }
    }
    reportFailures();
    // Jobs that arrived before there was a site.
    scheduleRetry(0);
  }

  function reportFailures(): void {
    const failedPages = countFailedPages(db);
    const what = failedPages === 1 ? '1 page' : `${failedPages} pages`;
    if (failedPages === 0) health.clear(healthSource);
    else health.report(healthSource, `${what} could not be published, and will be retried.`);
  }

  /** @param delay in milliseconds; by default until the next failed job is due */
  function scheduleRetry(delay?: number): void {
    if (signal.aborted) return;
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
    await runAll(jobs);
    scheduleRetry();
  }

  /** @returns whether all succeeded */
  async function runAll(jobs: readonly PublishJob[]): Promise<boolean> {
    let allDone = true;
    for (const { id } of jobs) activeJobs.add(id);
    try {
      for (const job of jobs) {
        if (signal.aborted) return false;
        // A reply is sent before the jobs behind it run.
        await nextTurn();
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

  return {
    lastDuration: (): number | null => lastDuration,

    /** Never throws: failures stay in the table and are retried. */
    async run(job: PublishJob): Promise<PublishResult> {
      activeJobs.add(job.id);
      try {
        return await runJob(job);
      } finally {
        activeJobs.delete(job.id);
      }
    },

    /** Never throws. @returns whether all succeeded */
    runInBackground(jobs: readonly PublishJob[]): Promise<boolean> {
      const run = runAll(jobs).finally(() => backgroundRuns.delete(run));
      backgroundRuns.add(run);
      return run;
    },

    /** Runs those of an earlier process soon. */
    runPending(): void {
      scheduleRetry(0);
    },

    /** Runs jobs for these paths soon. */
    enqueue(paths: readonly string[]): void {
      insertPublishJobs(db, clock.now(), paths);
      // Without a site yet, the first one starts with the pending jobs.
      if (site.release) scheduleRetry(0);
    },

    /** Runs jobs for these paths. */
    async publishPaths(paths: readonly string[]): Promise<void> {
      await runAll(await whenUnlocked(() => insertPublishJobs(db, clock.now(), paths)));
    },

    /** Deletes jobs whose pages are published. Pages that failed get a job if they have none. */
    settle,

    /** Looks for jobs of other processes: a few microseconds as long as none writes. */
    watch(): void {
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
    },

    backgroundDone,

    flushed: (): Promise<void> => flushQueue.settled(),

    /** Resolves when the running job is done and its pages are flushed. */
    async stop(): Promise<void> {
      clearTimeout(retryTimer);
      clearInterval(watchTimer);
      await backgroundDone();
      await site.lock(async () => undefined);
      await flushQueue.settled();
    },
  };
}

/** Looks up each path: thousands of jobs and of failures may meet. */
function failuresOf({ paths }: PublishJob, failed: Failures): Failures {
  const own = new Map<string, PageFailure>();
  for (const path of paths) {
    const failure = failed.get(path);
    if (failure) own.set(path, failure);
  }
  return own;
}

/** For the author. */
function sentenceOf(failed: Failures): string {
  const [first] = failed;
  if (!first) throw new Error('no failed pages');
  const [path, { reason }] = first;
  const others = failed.size - 1;
  if (others === 0) return `${path} ${reason}.`;
  return `${path} ${reason}, nor could ${others} other ${others === 1 ? 'page' : 'pages'}.`;
}

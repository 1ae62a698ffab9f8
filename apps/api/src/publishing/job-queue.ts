import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PendingPage } from '@app/contract/blog/posts';
import { dataVersion } from '@app/db/data-version';
import type { Database } from '@app/db/open';
import { whenUnlocked } from '@app/db/write-transaction';
import { batchesOf } from '../batches.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { createFlushQueue, type WrittenTogether } from './flush-queue.ts';
import { createJobProgress } from './job-progress.ts';
import { insertPublishJobs, maxDelay, newestJob, type PublishJob, retryDelay } from './jobs.ts';
import type { FailedUpdate } from './manifest-lines.ts';
import type { Pages } from './pages.ts';
import type { PublishHook } from './publish-hook.ts';
import type { Release } from './release.ts';
import type { ServedSite } from './served-site.ts';
import { type Failures, flushPages } from './update-pages.ts';

const retryMilliseconds = 10_000;

/** How soon jobs of other servers and of commands, such as an import, are found. */
const watchMilliseconds = 100;

/** How soon jobs of this server are found that did not run because of an error after the commit. */
const listMilliseconds = 10_000;

/** Pages per batch. Readers and authors wait for one batch at most. */
const retriedAtOnce = 16;

const healthSource = 'publishing';

const maxLoggedPages = 5;

const maxResults = 100;

/** What readers see: a page that became a redirect counts as removed. */
interface Changes {
  written: string[];
  /** Only the job's own paths. */
  removed: string[];
}

/** `pages` are the pending ones; empty if the whole job was put off. */
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
  /** Once it is aborted, no job starts. */
  signal: AbortSignal;
}

/**
 * Runs the publish jobs of the database, and retries pages that fail.
 *
 * A job holds paths, never content: a page is rendered from the current database. So jobs are
 * idempotent and can run late or in any order. The release's manifest records which ones are done.
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
  const progress = createJobProgress(db);
  const flushQueue = createFlushQueue(flush);
  const backgroundRuns = new Set<Promise<boolean>>();
  /** By job id. The timer may find a job before the request that added it; both need its result. */
  const results = new Map<number, Promise<PublishResult>>();
  let lastDuration: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer ends, by `performance.now()`. */
  let timerEnd = 0;
  let watchTimer: NodeJS.Timeout | undefined;
  let listTimer: NodeJS.Timeout | undefined;
  let seenVersion: number;

  const failures = (): ReadonlyMap<string, FailedUpdate> =>
    site.release?.manifest.failures ?? new Map();

  async function update(paths: readonly string[], job?: PublishJob): Promise<PublishResult> {
    // Before taking the lock, so that other jobs can run.
    await pages.prepare(paths);
    return site.lock(async () => {
      const startedAt = clock.monotonic();
      const result = await updateServed(paths, job);
      lastDuration = clock.monotonic() - startedAt;
      return result;
    });
  }

  async function updateServed(
    paths: readonly string[],
    job: PublishJob | undefined,
  ): Promise<PublishResult> {
    const { release, isServed } = site;
    if (!release) return putBack(job, 'The site is being published for the first time.');
    // A replica that lacks the job also lacks the change, so it would render the old content.
    if (job && job.id > newestJob(db)) {
      return putBack(job, 'The change has not arrived from the database server yet.');
    }
    const before = paths.filter(isServed);
    const { paths: all, written, failed } = await site.update(release, paths);
    const changes = {
      written: [...all].filter((path) => written.has(path) && isServed(path)),
      removed: before.filter((path) => !isServed(path)),
    };
    recordFailures(release, failed);
    report();
    flushQueue.add({ job, release, pages: written });
    if (failed.size === 0) return { state: 'done', ...changes };
    const pending = [...failed].map(([path, { reason }]) => ({ path, reason: `${reason}.` }));
    return { state: 'pending', reason: sentenceOf(failed), pages: pending, ...changes };
  }

  /** Leaves the job to `runDue`, which runs it once it is listed. */
  function putBack(job: PublishJob | undefined, reason: string): PublishResult {
    if (job) {
      progress.putBack(job);
      results.delete(job.id);
    }
    return { state: 'pending', reason, pages: [], written: [], removed: [] };
  }

  async function flush({ jobs, release, pages: written }: WrittenTogether): Promise<void> {
    recordFailures(release, await flushPages(release, written, await doneUpTo(jobs)));
    for (const job of jobs) progress.finish(job);
    report();
  }

  /** Undefined if the changes cannot be stored for the publish hook, so that the jobs run again. */
  async function doneUpTo(finishing: readonly PublishJob[]): Promise<number | undefined> {
    try {
      // Before the jobs count as done: a job that is not done repeats its changes.
      await hook.store();
      progress.list();
      return progress.doneUpTo(finishing);
    } catch (error) {
      log.error({ err: error }, 'could not record which pages are published');
      return undefined;
    }
  }

  /** Records them in memory. The next flush writes them to the disk. */
  function recordFailures({ manifest }: Release, failed: Failures): void {
    let logged = 0;
    for (const [path, { error, reason }] of failed) {
      const known = manifest.failures.get(path);
      // A job that fails on the page before its retry is due must not postpone the retry.
      const { attempts, nextAttemptAt } =
        known && !isDue(known) ? known : nextAttempt((known?.attempts ?? 0) + 1);
      manifest.fail(path, { attempts, nextAttemptAt, reason: String(error) });
      logged += 1;
      if (logged <= maxLoggedPages) log.error({ err: error, path, attempts }, `a page ${reason}`);
    }
  }

  function report(): void {
    const { size } = failures();
    const what = size === 1 ? '1 page' : `${size} pages`;
    if (size === 0) health.clear(healthSource);
    else health.report(healthSource, `${what} could not be published, and will be retried.`);
    wakeForFailures();
  }

  function wakeForFailures(): void {
    const times = [...failures().values()].map(({ nextAttemptAt }) => nextAttemptAt);
    if (times.length === 0) return;
    const first = times.reduce((a, b) => Math.min(a, b));
    wakeIn(Math.min(Math.max(first - clock.now(), 0), maxDelay));
  }

  /** Runs waiting jobs and due retries. @param delay maximum, in milliseconds */
  function wakeIn(delay: number): void {
    const end = performance.now() + delay;
    if (signal.aborted || (timer && timerEnd <= end)) return;
    clearTimeout(timer);
    timerEnd = end;
    timer = setTimeout(() => {
      timer = undefined;
      runDue().catch((error: unknown) => {
        log.error({ err: error }, 'could not query pending pages');
        wakeIn(retryMilliseconds);
      });
    }, delay).unref();
  }

  async function runDue(): Promise<void> {
    progress.list();
    await runAll(progress.waiting());
    for (const paths of batchesOf(duePaths(), retriedAtOnce)) {
      if (signal.aborted) return;
      await nextTurn();
      await update(paths);
    }
    wakeForFailures();
  }

  /** Runs waiting jobs soon if another process has written to the database. */
  function checkForJobs(): void {
    try {
      const version = dataVersion(db);
      if (version !== seenVersion && site.release) wakeIn(0);
      seenVersion = version;
    } catch (error) {
      log.error({ err: error }, 'could not check for publish jobs of other processes');
    }
  }

  /** Also true if the time is too far ahead, because it was set while the clock was wrong. */
  function isDue({ nextAttemptAt: at }: FailedUpdate): boolean {
    const now = clock.now();
    return at <= now || at > now + maxDelay;
  }

  const nextAttempt = (attempts: number) => ({
    attempts,
    nextAttemptAt: clock.now() + retryDelay(attempts),
  });

  const duePaths = (): string[] =>
    [...failures()].flatMap(([path, failure]) => (isDue(failure) ? path : []));

  /** @returns whether all succeeded */
  async function runAll(jobs: readonly PublishJob[]): Promise<boolean> {
    const left = new Set(jobs.filter(({ id }) => !results.has(id)));
    let allDone = true;
    for (const job of left) progress.begin(job);
    try {
      for (const job of jobs) {
        if (signal.aborted) return false;
        // Lets the response go out before the jobs that follow run.
        await nextTurn();
        left.delete(job);
        const { state } = await runOnce(job);
        allDone &&= state === 'done';
      }
    } finally {
      for (const job of left) if (!results.has(job.id)) progress.putBack(job);
    }
    return allDone;
  }

  function runOnce(job: PublishJob): Promise<PublishResult> {
    const known = results.get(job.id);
    if (known) return known;
    progress.begin(job);
    const result = update(job.paths, job).catch((error: unknown) => {
      log.error({ err: error, job: job.id }, 'could not run a publish job');
      return putBack(job, 'The pages could not be updated.');
    });
    results.set(job.id, result);
    const [oldest] = results.keys();
    if (oldest !== undefined && results.size > maxResults) results.delete(oldest);
    return result;
  }

  async function backgroundDone(): Promise<void> {
    await Promise.all(backgroundRuns);
  }

  return {
    lastDuration: (): number | null => lastDuration,

    /** @param release one that an earlier process served. @returns the jobs it did not finish */
    open({ manifest }: Release): PublishJob[] {
      // They may belong to a database that was replaced.
      results.clear();
      progress.startAfter(manifest.jobs);
      progress.list();
      // All pages are about to be compared with the database, or rendered.
      progress.takeMissed();
      return progress.waiting();
    },

    /** For the first site, because all of its pages are about to be rendered. */
    skipAll(): void {
      progress.startAfter(newestJob(db));
    },

    /** Records what is done in the manifest of a release that was rendered or repaired. */
    async record(release: Release, jobs: readonly PublishJob[], failed: Failures): Promise<void> {
      recordFailures(release, failed);
      await release.manifest.append(new Map(), await doneUpTo(jobs));
      for (const job of jobs) progress.finish(job);
      report();
    },

    /** Never throws: failed pages are retried. */
    run: runOnce,

    /** Never throws. @returns whether all succeeded */
    runInBackground(jobs: readonly PublishJob[]): Promise<boolean> {
      const run = runAll(jobs).finally(() => backgroundRuns.delete(run));
      backgroundRuns.add(run);
      return run;
    },

    /** Soon runs waiting jobs and due retries. */
    wake(): void {
      report();
      wakeIn(0);
    },

    enqueue(paths: readonly string[]): void {
      insertPublishJobs(db, clock.now(), paths);
      // Without a site yet, they run after the first one is published.
      if (site.release) wakeIn(0);
    },

    async publishPaths(paths: readonly string[]): Promise<void> {
      await runAll(await whenUnlocked(db, () => insertPublishJobs(db, clock.now(), paths)));
    },

    /**
     * Polls for jobs of other processes, which takes a few microseconds while none writes. Jobs of
     * this process are polled less often.
     */
    watch(): void {
      seenVersion = dataVersion(db);
      clearInterval(watchTimer);
      clearInterval(listTimer);
      watchTimer = setInterval(checkForJobs, watchMilliseconds).unref();
      listTimer = setInterval(() => {
        if (site.release) wakeIn(0);
      }, listMilliseconds).unref();
    },

    checkForJobs,

    takeMissed: progress.takeMissed,

    backgroundDone,

    flushed: (): Promise<void> => flushQueue.settled(),

    failures,

    isAhead: progress.isAhead,

    depth: (): number => progress.depth() + failures().size,

    /** Resolves when the running job is done and its pages are flushed. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      clearInterval(watchTimer);
      clearInterval(listTimer);
      await backgroundDone();
      await site.lock(async () => undefined);
      await flushQueue.settled();
    },
  };
}

function sentenceOf(failed: Failures): string {
  const [first] = failed;
  if (!first) throw new Error('no failed pages');
  const [path, { reason }] = first;
  const others = failed.size - 1;
  if (others === 0) return `${path} ${reason}.`;
  return `${path} ${reason}, nor could ${others} other ${others === 1 ? 'page' : 'pages'}.`;
}

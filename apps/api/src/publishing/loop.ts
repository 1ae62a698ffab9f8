import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { dataVersion } from '@app/db/data-version';
import type { Database } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { batchesOf } from '../batches.ts';
import type { Clock } from '../clock.ts';
import { syncFiles, syncFoldersOf } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import {
  entriesAfter,
  everything,
  logChange,
  maxDelay,
  newestSeq,
  reachesBackTo,
  retryDelay,
} from './log.ts';
import type { Pages } from './pages.ts';
import { fileIn } from './release.ts';
import type { Site } from './site.ts';
import { type PublishState, writeState } from './state.ts';
import { type Failures, type PageFailure, reasonOf } from './update-pages.ts';

const retryMilliseconds = 10_000;

/** How soon changes of other servers and of commands, such as an import, are found. */
const watchMilliseconds = 100;

/** How soon changes of this server are found that were not published because of an error. */
const readMilliseconds = 10_000;

/** Between two passes, so that changes that follow each other closely share lists and flushes. */
const passMilliseconds = 100;

/** Pages that are updated under one lock. Readers and authors wait for them at most. */
const pagesAtOnce = 4;

/** Pages whose data is loaded together. */
const preparedPages = 64;

/** Paths per turn of the event loop. */
const pathsAtOnce = 500;

const healthSource = 'publishing';

const maxLoggedPages = 5;

export interface FailedPage {
  attempts: number;
  /** In milliseconds since 1970. */
  nextAttemptAt: number;
}

/** A page whose file is not on the disk as the log requires. */
interface PendingPage {
  /** Its oldest entry that is not on the disk. */
  since: number;
  /** Its newest entry. */
  seq: number;
  failure?: FailedPage;
}

export type PublishLoop = ReturnType<typeof createPublishLoop>;

interface LoopParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  pages: Pages;
  site: Site;
  /** Called when everything has to be rendered. */
  renderAll: () => void;
  /** Called when more is on the disk. */
  onPublished: () => void;
  /** Once it is aborted, no page is rendered. */
  signal: AbortSignal;
}

/**
 * Reads the log, and updates the files of its paths. A page is rendered from the current database,
 * so an entry can be handled late, again, or together with others.
 */
export function createPublishLoop({
  db,
  clock,
  log,
  health,
  pages,
  site,
  renderAll,
  onPublished,
  signal,
}: LoopParts) {
  /** All entries up to this one are in `pending`, or on the disk. */
  let read = 0;
  const pending = new Map<string, PendingPage>();
  /** The newest entry that a page includes, for pages that requests render before the loop. */
  const rendered = new Map<string, number>();
  /** Pages whose files are in place, but maybe not on the disk. */
  let unflushed = new Set<string>();
  /** Pages that just failed. */
  const failedNow = new Set<string>();
  /** The latest change of this server, by path, that its replica does not have yet. */
  const ahead = new Map<string, number>();
  /** Of the pages that no entry names. Unknown after a start. */
  let unlogged: string | undefined;
  let saved: PublishState | undefined;
  let running: Promise<void> | undefined;
  let isDirty = false;
  /** By `performance.now()`. */
  let lastPass = Number.NEGATIVE_INFINITY;
  let lastDuration: number | null = null;
  let seenVersion: number;
  let retryTimer: NodeJS.Timeout | undefined;
  let watchTimer: NodeJS.Timeout | undefined;
  let readTimer: NodeJS.Timeout | undefined;

  /** Renders pages in the background, a few at a time. */
  async function updateAll(all: readonly string[]): Promise<void> {
    for (const paths of batchesOf(all, preparedPages)) {
      // Before taking the lock, so that others can have it.
      await pages.prepare(paths);
      for (const some of batchesOf(paths, pagesAtOnce)) {
        if (signal.aborted) return;
        // Lets responses go out before.
        await nextTurn();
        await update(some);
      }
    }
  }

  /** Renders pages. @returns those that failed */
  function update(paths: readonly string[]): Promise<Failures> {
    return site.lock(async () => {
      const { release } = site;
      if (!release) throw new Error('pages cannot be updated before the first release');
      const startedAt = clock.monotonic();
      // Pages are read after this, so they include this entry.
      const seq = newestSeq(db);
      const { failed } = await site.update(release, paths);
      for (const path of paths) {
        if (failed.has(path)) continue;
        rendered.set(path, seq);
        unflushed.add(path);
        delete pending.get(path)?.failure;
      }
      recordFailures(failed, seq);
      lastDuration = clock.monotonic() - startedAt;
      return failed;
    });
  }

  function recordFailures(failed: Failures, seq: number): void {
    let logged = 0;
    for (const [path, { error, reason }] of failed) {
      const page = pending.get(path) ?? { since: seq, seq };
      const { failure } = page;
      // A change that fails before the page's retry is due must not postpone the retry.
      if (!failure || isDue(failure)) {
        const attempts = (failure?.attempts ?? 0) + 1;
        const nextAttemptAt = clock.now() + retryDelay(attempts);
        pending.set(path, { ...page, failure: { attempts, nextAttemptAt } });
        failedNow.add(path);
      }
      logged += 1;
      if (logged <= maxLoggedPages) {
        log.error(
          { err: error, path, attempts: pending.get(path)?.failure?.attempts },
          `a page ${reason}`,
        );
      }
    }
    report();
  }

  function report(): void {
    const { size } = failures();
    const what = size === 1 ? '1 page' : `${size} pages`;
    if (size === 0) health.clear(healthSource);
    else health.report(healthSource, `${what} could not be published, and will be retried.`);
  }

  const failures = (): Map<string, FailedPage> =>
    new Map(
      pending
        .entries()
        .flatMap(([path, { failure }]) => (failure ? [[path, failure] as const] : [])),
    );

  /** Also true if the time is too far ahead, because it was set while the clock was wrong. */
  function isDue({ nextAttemptAt: at }: FailedPage): boolean {
    const now = clock.now();
    return at <= now || at > now + maxDelay;
  }

  const isStale = (path: string, { seq }: PendingPage): boolean => (rendered.get(path) ?? -1) < seq;

  function add(path: string, seq: number): void {
    const isOnDisk = (rendered.get(path) ?? -1) >= seq && !unflushed.has(path);
    if (isOnDisk) return;
    const page = pending.get(path) ?? { since: seq, seq };
    const [since, newest] = [Math.min(page.since, seq), Math.max(page.seq, seq)];
    pending.set(path, { ...page, since, seq: newest });
  }

  /** Adds the new entries to `pending`. */
  async function readLog(): Promise<void> {
    if (!reachesBackTo(db, read)) {
      log.warn('the log of changes does not reach back to what is published: rendering all pages');
      read = newestSeq(db);
      renderAll();
    }
    const before = read;
    for (const entries of entriesAfter(db, read)) {
      for (const { path, seq } of entries) {
        if (path === everything) renderAll();
        else add(path, seq);
      }
      read = entries.at(-1)?.seq ?? read;
      await nextTurn();
    }
    if (read > before) addUnlogged();
    forget();
  }

  function addUnlogged(): void {
    const version = pages.unlogged.version();
    if (version === unlogged) return;
    unlogged = version;
    for (const path of pages.unlogged.paths()) add(path, read);
  }

  /** Drops what later entries cannot need. */
  function forget(): void {
    for (const [path, seq] of ahead) if (seq <= read) ahead.delete(path);
    for (const [path, seq] of rendered) {
      if (seq <= read && !pending.has(path) && !unflushed.has(path)) rendered.delete(path);
    }
  }

  /** Withdrawn pages first, then in the order of the log. */
  async function duePaths(): Promise<string[]> {
    const due = [...pending]
      .filter(([path, page]) => isStale(path, page) && (!page.failure || isDue(page.failure)))
      .map(([path]) => path);
    if (due.length <= pagesAtOnce) return due;
    const withdrawn: string[] = [];
    const others: string[] = [];
    for (const paths of batchesOf(due, pathsAtOnce)) {
      for (const path of paths) (pages.isWithdrawn(path) ? withdrawn : others).push(path);
      await nextTurn();
    }
    return [...withdrawn, ...others];
  }

  async function flush(): Promise<void> {
    const { release } = site;
    if (!release || unflushed.size === 0) return;
    const flushing = new Map([...unflushed].map((path) => [path, rendered.get(path) ?? 0]));
    unflushed = new Set();
    try {
      const files = [...flushing.keys()].map((path) => fileIn(release, path));
      await syncFiles(files);
      await syncFoldersOf(files);
    } catch (error) {
      for (const path of flushing.keys()) rendered.delete(path);
      const failure: PageFailure = { error, reason: reasonOf(error) };
      const all = [...flushing].map(([path, seq]) => {
        // Otherwise it would not be rendered again.
        pending.set(path, pending.get(path) ?? { since: seq, seq });
        return [path, failure] as const;
      });
      recordFailures(new Map(all), newestSeq(db));
      return;
    }
    for (const [path, seq] of flushing) {
      const page = pending.get(path);
      if (page && page.seq <= seq && !unflushed.has(path)) pending.delete(path);
    }
  }

  /**
   * Logs failed pages again, so that the log keeps them, also across restarts, and what is published
   * does not seem to lag behind.
   */
  async function logFailures(): Promise<void> {
    const paths = [...failedNow].filter((path) => pending.get(path)?.failure);
    if (paths.length === 0) return failedNow.clear();
    const { seq } = await writeTransaction(db, (tx) => logChange(tx, clock.now(), paths));
    for (const path of paths) {
      const page = pending.get(path);
      if (page) pending.set(path, { ...page, since: seq - paths.length + 1, seq });
    }
    for (const path of paths) failedNow.delete(path);
    isDirty = true;
  }

  async function save(): Promise<void> {
    const { release, origin } = site;
    if (!release || !origin) return;
    const oldest = pending.values().reduce((min, { since }) => Math.min(min, since), read + 1);
    const next = {
      ...origin,
      seq: Math.max(oldest - 1, 0),
      tried: read,
      hasCards: site.hasAllCards(),
    };
    if (saved && JSON.stringify(saved) === JSON.stringify(next)) return;
    await writeState(release.folder, next);
    saved = next;
    onPublished();
  }

  async function pass(): Promise<void> {
    await flush();
    await readLog();
    await updateAll(await duePaths());
    if (signal.aborted) return;
    await flush();
    await save();
    report();
    // Last, because the disk may be full.
    await logFailures();
  }

  async function runAll(): Promise<void> {
    await nextTurn();
    while (isDirty && !signal.aborted && site.release) {
      const wait = lastPass + passMilliseconds - performance.now();
      if (wait > 0) await pause(wait, undefined, { signal }).catch(() => undefined);
      isDirty = false;
      await pass();
      lastPass = performance.now();
    }
  }

  function run(): Promise<void> {
    isDirty = true;
    running ??= runAll()
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'could not publish what is logged');
        wakeIn(retryMilliseconds);
      })
      .finally(() => {
        running = undefined;
        if (isDirty && !signal.aborted && site.release) void run();
        else wakeForFailures();
      });
    return running;
  }

  function wakeForFailures(): void {
    const times = failures()
      .values()
      .map(({ nextAttemptAt }) => nextAttemptAt - clock.now());
    const next = Math.min(...times);
    if (Number.isFinite(next)) wakeIn(Math.max(Math.min(next, maxDelay), 0));
  }

  function wakeIn(milliseconds: number): void {
    if (signal.aborted) return;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(wake, milliseconds).unref();
  }

  function wake(): void {
    if (site.release && !signal.aborted) void run();
  }

  /** Finds changes of other processes. Takes a few microseconds while none writes. */
  function watch(): void {
    try {
      const version = dataVersion(db);
      if (version !== seenVersion) wake();
      seenVersion = version;
    } catch (error) {
      log.error({ err: error }, 'could not check for changes of other processes');
    }
  }

  return {
    /**
     * Continues after this entry.
     * @param failed pages that could not be rendered
     */
    open(seq: number, failed: Failures = new Map()): void {
      read = seq;
      pending.clear();
      rendered.clear();
      unflushed.clear();
      unlogged = undefined;
      saved = undefined;
      recordFailures(failed, seq);
    },

    watch(): void {
      seenVersion = dataVersion(db);
      clearInterval(watchTimer);
      clearInterval(readTimer);
      watchTimer = setInterval(watch, watchMilliseconds).unref();
      readTimer = setInterval(wake, readMilliseconds).unref();
    },

    /** Checks for changes of other servers at once. */
    checkNow: watch,

    /** Renders pages at once. @returns those that failed */
    async updateNow(paths: readonly string[]): Promise<Failures> {
      await pages.prepare(paths);
      return update(paths);
    },

    /** Renders pages that nothing has changed, such as those whose cards are missing. */
    renderAgain: updateAll,

    /** Publishes what is logged. Resolves when every path was tried. Never throws. */
    run,

    wake,

    /** For a change that this server's replica does not have yet. */
    noteAhead(paths: readonly string[], seq: number): void {
      for (const path of paths) ahead.set(path, seq);
    },

    isAhead: (path: string): boolean => ahead.has(path),

    failures,

    /** The number of pages that are not on the disk yet, and of entries that are not read yet. */
    depth: (): number => pending.size + Math.max(newestSeq(db) - read, 0),

    /** Up to this entry of the log, everything is on the disk. */
    publishedSeq: (): number => saved?.seq ?? 0,

    lastDuration: (): number | null => lastDuration,

    async idle(): Promise<void> {
      while (running) await running;
    },

    /** Resolves when the running batch is done and its pages are flushed. */
    async stop(): Promise<void> {
      clearTimeout(retryTimer);
      clearInterval(watchTimer);
      clearInterval(readTimer);
      while (running) await running;
      await site.lock(async () => undefined);
      try {
        await flush();
        await readLog();
        await save();
      } catch (error) {
        log.warn({ err: error }, 'could not record what is published; the next start repeats it');
      }
    },
  };
}

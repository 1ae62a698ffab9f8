import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../child-environment.ts';
import { toOpenError } from './primary-errors.ts';
import {
  deleteReplica,
  isIncomplete,
  positionOf,
  progressOf,
  type ReplicaPosition,
} from './replica-files.ts';
import type { SyncReply, SyncWork } from './sync-process.ts';

/** In milliseconds, between the end of a sync and the next one without a request. */
const defaultInterval = 100;
/** In milliseconds, after a failure. */
const retryInterval = 500;
/** In milliseconds: a sync that neither ends nor writes is ended. Longer than libsql's own 3 s. */
const stallTimeout = 5_000;
const stallCheckInterval = 500;
/** In milliseconds, for the process to start on a busy machine. */
const startTimeout = 60_000;
/** After so many processes in a row have ended by themselves, the replica is made anew. */
const maxCrashes = 3;

interface SynchronizerOptions extends SyncWork {
  interval?: number | undefined;
  /** What this process has committed so far. */
  commits(): number;
  /** The files were deleted, or replaced by new ones: they must be opened again. */
  onRebuild(): void;
  /** After commits were received. */
  onChange(): void;
  /** After a sync from another log, or of a new file: commits of before may be missing. */
  onReplaced(): void;
  onFailure(failure: Error): void;
}

/** Syncs the replica again and again, in a process of its own. */
export function startSynchronizer(options: SynchronizerOptions) {
  const { file, url, authToken, interval = defaultInterval } = options;
  let child: ChildProcess | undefined;
  let isStopped = false;
  let crashes = 0;
  let mustRebuild: 'damaged' | 'outdated' | null = null;
  let failure: Error | null = null;
  let syncedAt: number | null = null;
  /** That of the last sync; null before the first one. */
  let log: string | null = null;
  let isRebuilt = false;
  /** Deleted files that are open, until there are new ones. */
  let isReadable = false;
  /** Of the replica, when the server had less. */
  let longer: ReplicaPosition | null = null;
  /** The commits of this process that the replica has. */
  let visible = 0;
  let waiting: { commits: number; resolve(): void }[] = [];
  let wake: (() => void) | undefined;
  let wasWoken = false;

  async function start(): Promise<ChildProcess> {
    const script = import.meta.url.endsWith('.ts') ? 'sync-process.ts' : 'sync-process.js';
    const started = fork(fileURLToPath(new URL(`./${script}`, import.meta.url)), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
      env: childEnvironment(),
    });
    child = started;
    const forget = () => {
      if (child === started) child = undefined;
    };
    started.on('error', forget);
    started.on('exit', forget);
    const timer = setTimeout(() => started.kill('SIGKILL'), startTimeout);
    try {
      await replyOf(started);
    } finally {
      clearTimeout(timer);
    }
    return started;
  }

  /** @returns the frames that were received; @throws why it failed */
  async function sync(): Promise<number> {
    if (mustRebuild !== null || isIncomplete(file)) await rebuild();
    const used = child ?? (await start());
    const reply = replyOf(used);
    const timer = endWhenStalled(used);
    try {
      used.send({ file, url, authToken } satisfies SyncWork, () => undefined);
      const result = await reply;
      crashes = 0;
      if (result === 'ready') throw new Error('its process started twice');
      if ('failure' in result) throw failed(result.failure);
      return result.frames;
    } finally {
      clearInterval(timer);
    }
  }

  /** @throws if the process ends */
  async function replyOf(used: ChildProcess): Promise<SyncReply> {
    const settled = new AbortController();
    const reply = once(used, 'message', { signal: settled.signal }) as Promise<[SyncReply]>;
    const exit = once(used, 'exit', { signal: settled.signal });
    try {
      const outcome = await Promise.race([reply, exit.then(() => null)]);
      if (outcome === null) throw crashed(used);
      return outcome[0];
    } finally {
      settled.abort();
      await Promise.allSettled([reply, exit]);
    }
  }

  function endWhenStalled(used: ChildProcess): NodeJS.Timeout {
    let seen = progressOf(file);
    let since = performance.now();
    return setInterval(() => {
      const progress = progressOf(file);
      if (progress !== seen) [seen, since] = [progress, performance.now()];
      else if (performance.now() - since > stallTimeout) used.kill('SIGKILL');
    }, stallCheckInterval).unref();
  }

  function crashed(ended: ChildProcess): Error {
    if (ended.killed) return new Error('the database server does not answer');
    crashes += 1;
    if (crashes >= maxCrashes) mustRebuild = 'damaged';
    return new Error(`its process ended (${ended.signalCode ?? ended.exitCode})`);
  }

  function failed(reason: string): Error {
    if (/malformed|not a database|DatabaseCorrupt|NotADatabase/.test(reason))
      mustRebuild = 'damaged';
    return new Error(reason);
  }

  async function rebuild(): Promise<void> {
    await end();
    // Until the new one is complete, readers have the files that are open.
    isReadable = mustRebuild === 'outdated';
    mustRebuild = null;
    crashes = 0;
    deleteReplica(file);
    isRebuilt = syncedAt !== null;
    if (!isReadable) options.onRebuild();
  }

  async function end(): Promise<void> {
    if (child === undefined) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  async function syncOnce(): Promise<void> {
    const began = options.commits();
    const frames = await sync();
    if (isReadable) options.onRebuild();
    isReadable = false;
    const position = positionOf(file);
    // Of another log, the sync has replaced all.
    if (longer && position?.log === longer.log && position.frame >= longer.frame)
      mustRebuild = 'outdated';
    longer = null;
    if (mustRebuild !== null)
      throw new Error('the database server was restored from an older copy');
    const isReplaced = isRebuilt || (log !== null && position?.log !== log);
    isRebuilt = false;
    log = position?.log ?? null;
    visible = began;
    syncedAt = performance.now();
    failure = null;
    if (frames > 0) options.onChange();
    if (isReplaced) options.onReplaced();
    for (const { commits, resolve } of waiting) if (commits <= visible) resolve();
    waiting = waiting.filter(({ commits }) => commits > visible);
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        await syncOnce();
        first.resolve();
      } catch (cause) {
        if (isStopped) break;
        const error = new Error(
          `The replica ${file} cannot be synced: ${(cause as Error).message}.`,
        );
        if (failure === null) options.onFailure(error);
        failure = error;
        if (mustRebuild === null) first.reject(toOpenError(error));
      }
      await pause(failure === null ? interval : retryInterval);
    }
  }

  /** Ends when a caller waits for a sync, unless the last one failed. */
  async function pause(milliseconds: number): Promise<void> {
    if (isStopped || (wasWoken && failure === null)) {
      wasWoken = false;
      return;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wake = undefined;
    wasWoken = false;
  }

  const isCaughtUp = (): boolean => options.commits() <= visible && syncedAt !== null;

  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);
  const running = run();

  return {
    /** Why the last sync failed; null if it worked. */
    failure: (): Error | null => failure,

    /** Rejects if the first sync failed, with `PrimaryUnavailable` if no answer came. Others follow. */
    first: first.promise,

    /** By `performance.now()`; null before the first one. */
    syncedAt: (): number | null => syncedAt,

    /** Whether the replica has all that this process has committed. */
    isCaughtUp,

    /** Resolves when it has. */
    caughtUp(): Promise<void> {
      if (isCaughtUp()) return Promise.resolve();
      const commits = options.commits();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ commits, resolve });
      wasWoken = true;
      if (failure === null) wake?.();
      return promise;
    },

    /** Deletes the replica, which cannot be read, before the next sync. */
    rebuild(): void {
      mustRebuild = 'damaged';
    },

    /**
     * The server had less than the replica at this position: of the same log, syncing would bring
     * nothing, or half of another copy.
     */
    foundShorter(position: ReplicaPosition): void {
      longer = position;
    },

    async stop(): Promise<void> {
      isStopped = true;
      wake?.();
      await end();
      await running;
      await end();
    },
  };
}

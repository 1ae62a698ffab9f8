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

/** In milliseconds, between the end of a sync and the next one, unless a caller waits for it. */
const defaultInterval = 100;
/** In milliseconds, after a failure. */
const retryInterval = 500;
/** In milliseconds: a sync that neither ends nor writes is killed. Longer than libsql's own 3 s. */
const stallTimeout = 5_000;
const stallCheckInterval = 500;
/** In milliseconds, for the process to start on a busy machine. */
const startTimeout = 60_000;
/** After this many processes in a row have ended by themselves, the replica is created again. */
const maxCrashes = 3;

interface SynchronizerOptions extends SyncWork {
  interval?: number | undefined;
  /** How many commits this process has made so far. */
  commits(): number;
  /** Called when the files were deleted or replaced: they must be opened again. */
  onRebuild(): void;
  onChange(): void;
  /** Called after a sync from another log, or to a new file: earlier commits can be missing. */
  onReplaced(): void;
  onFailure(failure: Error): void;
}

/** Keeps syncing the replica, in a process of its own. */
export function startSynchronizer(options: SynchronizerOptions) {
  const { file, url, authToken, interval = defaultInterval } = options;
  let child: ChildProcess | undefined;
  let isStopped = false;
  let crashes = 0;
  let mustRebuild: 'damaged' | 'outdated' | null = null;
  let failure: Error | null = null;
  let syncedAt: number | null = null;
  /** The log of the last sync; null before the first one. */
  let log: string | null = null;
  let isRebuilt = false;
  /** Whether readers can use the deleted files that they have open until there are new ones. */
  let isReadable = false;
  /** The position of the replica when the server had less. */
  let longer: ReplicaPosition | null = null;
  /** How many commits of this process the replica has. */
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

  /** @returns the number of received frames @throws the reason if it failed */
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
    // Until the new one is complete, readers can use the files that they have open.
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
    // From another log, the sync has replaced everything.
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

  /** Ends early when a caller waits for a sync, unless the last one has failed. */
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

    /** Rejects if the first sync fails, with `PrimaryUnavailable` if unanswered. Others follow. */
    first: first.promise,

    /** When the last sync ended (`performance.now()`); null before the first one. */
    syncedAt: (): number | null => syncedAt,

    isCaughtUp,

    /** Resolves when the replica has all that this process has committed so far. */
    caughtUp(): Promise<void> {
      if (isCaughtUp()) return Promise.resolve();
      const commits = options.commits();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ commits, resolve });
      wasWoken = true;
      if (failure === null) wake?.();
      return promise;
    },

    /** Deletes a damaged replica before the next sync. */
    rebuild(): void {
      mustRebuild = 'damaged';
    },

    /**
     * Reports that the server had less than the replica at this position. If both have the same
     * log, a sync would receive nothing, or parts of another copy.
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

import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@app/db/child-environment';
import { type Options, Tinypool } from 'tinypool';
import type { Log } from '../log.ts';

interface ProcessPoolOptions extends Pick<Options, 'maxThreads' | 'idleTimeout' | 'execArgv'> {
  /** A module whose default export does the work; see `processWork`. */
  filename: string;
  env?: Record<string, string>;
  /** Per task, in milliseconds. */
  timeout: number;
  log: Log;
}

/** Terminals and service managers send them to all processes of the server. */
const groupSignals: readonly unknown[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The process crashed, ended itself or timed out. */
export class ProcessEnded extends Error {
  /** The signal that ended the process, unless this program sent it. */
  readonly signal: NodeJS.Signals | null;

  constructor(cause: Error, signal: NodeJS.Signals | null) {
    super(cause.message, { cause });
    this.signal = signal;
  }
}

/**
 * A pool of child processes, for native code that could crash the server or hold on to its memory.
 * Run no more tasks at a time than there are processes: Tinypool starts no process for a task that
 * waits behind one that is killed.
 */
export function createProcessPool<Task, Result>({
  filename,
  timeout,
  log,
  execArgv = [],
  env = {},
  ...options
}: ProcessPoolOptions) {
  const pool = new Tinypool({
    ...options,
    runtime: 'child_process',
    serialization: 'advanced',
    minThreads: 0,
    // Otherwise ps and top show all of them as Tinypool's process.js.
    execArgv: [`--title=${parse(filename).name}`, ...execArgv],
    // With one arena, glibc returns the memory that native code frees (mallopt(3)): rendering forty
    // social cards takes 93 MB instead of 198.
    env: { ...childEnvironment(), MALLOC_ARENA_MAX: '1', ...env },
  });
  const watched = new WeakSet<object>();
  /** Whether the last process that ended was idle or still loading when a group signal ended it. */
  let wasIdle = false;
  let lastSignal: NodeJS.Signals | null = null;
  let isEnded = false;

  function watchProcesses(): void {
    for (const process of pool.threads.filter((each) => !watched.has(each))) {
      watched.add(process);
      process.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
        wasIdle = code === 0 || groupSignals.includes(signal);
        lastSignal = signal;
      });
    }
  }

  /** Excludes errors because a process could not start or a task could not be sent. */
  const hasEnded = ({ message }: Error): boolean => message === 'Worker exited unexpectedly';
  const endedIdle = (error: Error): boolean => wasIdle && hasEnded(error);

  // Tinypool emits `error` just before `exit`, and does not replace the process for waiting tasks.
  pool.on('error', (error: Error) =>
    queueMicrotask(() => {
      if (!endedIdle(error)) log.warn({ err: error }, 'a child process ended without a task');
      else if (pool.queueSize > 0) startProcess();
    }),
  );

  /** Runs a task and aborts it at once, which leaves its process to the waiting tasks. */
  function startProcess(): void {
    const abort = new AbortController();
    pool.run(null, { filename, signal: abort.signal }).catch(() => undefined);
    watchProcesses();
    abort.abort();
  }

  async function run(task: Task): Promise<Result> {
    try {
      const result = pool.run(task, { filename, signal: AbortSignal.timeout(timeout) });
      watchProcesses();
      return await result;
    } catch (error) {
      if (!(error instanceof Error)) {
        // Errors arrive from the process as plain objects.
        throw Object.assign(new Error((error as Error).message), error);
      }
      if (endedIdle(error) && !isEnded) return run(task);
      throw new ProcessEnded(error, hasEnded(error) ? lastSignal : null);
    }
  }

  return {
    /** @throws ProcessEnded, or what the work throws */
    run,

    pids: (): number[] => pool.threads.map(({ threadId }) => threadId),

    /** Ends idle processes before `idleTimeout`. */
    endIdle: (): Promise<void> => pool.recycleWorkers(),

    /** Tasks in progress fail. */
    end(): Promise<void> {
      isEnded = true;
      return pool.destroy();
    },
  };
}

/** A program next to the calling module, both in the sources and in the bundle. */
export const programFile = (name: string, { url }: ImportMeta): string =>
  fileURLToPath(new URL(`./${name}.${url.endsWith('.ts') ? 'ts' : 'js'}`, url));

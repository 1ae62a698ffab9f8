import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { contentProblems } from '@app/contract/blog/post-content';
import { minute } from '@app/contract/durations';
import { childEnvironment } from '@app/db/child-environment';
import { createLruCache } from '../../lru-cache.ts';
import { programFile } from '../../server/process-pool.ts';
import { timed } from '../../server/request-time.ts';
import type { RenderedBody } from './body-process.ts';

/** Too many renders are queued, for the account or in total. */
export const renderingBusy = Symbol('rendering busy');

interface Options {
  /** CPU time per render. */
  milliseconds?: number;
  /** CPU time per account and minute. */
  maxPerMinute?: number;
  /** In addition to the one in progress. */
  maxWaitingPerAccount?: number;
  maxWaiting?: number;
}

type Rendered = RenderedBody[] | { problem: string };

interface Task {
  /** Empty for stored posts, absent for a render with the longer timeout. */
  account?: string;
  contents: readonly string[];
  milliseconds: number;
  resolve(result: Rendered): void;
  reject(error: unknown): void;
}

/** Leaves one CPU for readers. */
const maxProcesses = Math.min(2, Math.max(1, availableParallelism() - 1));

/** In MB. Several times what the largest valid post needs. */
const processMemory = 256;

/** On a busy machine, starting takes longer than rendering. */
const startMilliseconds = 30_000;

/** Elapsed time. A busy machine may stall for a minute; a process that takes longer is stuck. */
const maxMilliseconds = 120_000;

/** Keeps a process ready for an author who saves again. */
const idleMilliseconds = 60_000;

/** Without an author, only another batch of stored posts is worth waiting for. */
const storedIdleMilliseconds = 5_000;

/** Niceness 5 means a third of the server's share of a CPU. */
const priority = 5;

/** Minimum interval between checks of the CPU time that a render has used. */
const minCheckMilliseconds = 50;

/** Linux counts CPU time in hundredths of a second, whatever its clock rate (time(7)). */
const millisecondsPerTick = 10;

/** Signals with which V8 ends a process that is out of memory, depending on the machine. */
const outOfMemory: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

/** The queue of renders without an account. */
const site = '';

export type BodyRenderer = ReturnType<typeof createBodyRenderer>;

/**
 * Renders the content of posts. Each render has a budget of time, memory and output; exceeding it
 * ends only the process of that render. Accounts take turns. Each has one render at a time and
 * limited CPU time per minute, so that no account keeps the others waiting. Stored posts take turns
 * like another account, in batches.
 *
 * Uses processes, because a thread that runs out of memory can crash the whole server despite its
 * `resourceLimits`.
 */
export function createBodyRenderer({
  milliseconds = 5_000,
  maxPerMinute = 10_000,
  maxWaitingPerAccount = 50,
  maxWaiting = 200,
}: Options = {}) {
  /** Round robin. */
  const waiting = new Map<string, Task[]>();
  const running = new Set<string>();
  const processes = new Set<ChildProcess>();
  /** Processes that an author has used, or will use soon. */
  const ofAuthors = new WeakSet<ChildProcess>();
  const idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
  const usage = createLruCache<{ milliseconds: number; end: number }>(10_000);
  let waitingCount = 0;

  function charge(account: string, spent: number): void {
    const now = performance.now();
    const known = usage.get(account);
    const window = known && now < known.end ? known : { milliseconds: 0, end: now + minute };
    usage.set(account, { ...window, milliseconds: window.milliseconds + spent });
  }

  /** Each text that exceeds its budget keeps others waiting for seconds. */
  function isExhausted(account: string): boolean {
    const window = usage.get(account);
    return (
      window !== undefined && window.milliseconds >= maxPerMinute && performance.now() < window.end
    );
  }

  function enqueue(account: string, contents: readonly string[]): Promise<Rendered> {
    const { promise, resolve, reject } = Promise.withResolvers<Rendered>();
    const tasks = waiting.get(account) ?? [];
    tasks.push({ account, contents, milliseconds, resolve, reject });
    waiting.set(account, tasks);
    waitingCount += 1;
    startWaiting();
    return promise;
  }

  function startWaiting(): void {
    for (const [account, [task, ...rest]] of waiting) {
      if (running.size >= maxProcesses) return;
      if (!task || running.has(account)) continue;
      waiting.delete(account);
      if (rest.length > 0) waiting.set(account, rest);
      waitingCount -= 1;
      running.add(account);
      run(task)
        .then(task.resolve, task.reject)
        .finally(() => {
          running.delete(account);
          startWaiting();
        });
    }
  }

  async function run(task: Pick<Task, 'account' | 'contents' | 'milliseconds'>): Promise<Rendered> {
    const child = takeIdle() ?? (await start());
    if (task.account) ofAuthors.add(child);
    const before = cpuTime(child);
    const result = await work(child, task);
    const isAlive = processes.has(child);
    if (task.account) charge(task.account, isAlive ? cpuTime(child) - before : task.milliseconds);
    if (isAlive) keepIdle(child);
    return result;
  }

  function work(
    child: ChildProcess,
    task: Pick<Task, 'contents' | 'milliseconds'>,
  ): Promise<Rendered> {
    const { promise, resolve, reject } = Promise.withResolvers<Rendered>();
    let isOver = false;
    const began = performance.now();
    const used = cpuTime(child);
    const check = () => {
      const left = task.milliseconds - (cpuTime(child) - used);
      isOver = left <= 0 || performance.now() - began > maxMilliseconds;
      if (isOver) child.kill('SIGKILL');
      else timer = setTimeout(check, Math.max(left, minCheckMilliseconds));
    };
    let timer = setTimeout(check, task.milliseconds);
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      if (isOver) resolve({ problem: contentProblems.tooComplex });
      else if (outOfMemory.includes(signal)) resolve({ problem: contentProblems.tooLarge });
      else reject(new Error(`the render process ended with ${signal ?? code}`));
    };
    child.once('message', resolve).once('exit', onExit).once('error', reject);
    child.send(task.contents);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', resolve).off('exit', onExit).off('error', reject);
    });
  }

  /** A process that is ready, so that startup does not count against the budget. */
  function start(): Promise<ChildProcess> {
    const { promise, resolve, reject } = Promise.withResolvers<ChildProcess>();
    const child = spawn();
    const timer = setTimeout(() => child.kill('SIGKILL'), startMilliseconds);
    const onReady = () => resolve(child);
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      reject(new Error(`the render process did not start: ${signal ?? code}`));
    child.once('message', onReady).once('exit', onExit).once('error', reject);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', onReady).off('exit', onExit).off('error', reject);
    });
  }

  function spawn(): ChildProcess {
    const child = fork(programFile('body-process', import.meta), {
      // The same small young generation as the server's. Garbage would take up 110 MB more.
      execArgv: ['--max-semi-space-size=4', `--max-old-space-size=${processMemory}`],
      env: childEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    processes.add(child);
    child.on('exit', () => processes.delete(child));
    // An unhandled error event would end the server.
    child.on('error', () => processes.delete(child));
    if (child.pid !== undefined) setPriority(child.pid, priority);
    return child;
  }

  function keepIdle(child: ChildProcess): void {
    // An idle process must not keep the server alive.
    child.unref();
    child.channel?.unref();
    const end = () => {
      takeIdle(child);
      child.disconnect();
    };
    const timer = setTimeout(end, ofAuthors.has(child) ? idleMilliseconds : storedIdleMilliseconds);
    idle.push({ child, timer: timer.unref() });
  }

  function takeIdle(wanted?: ChildProcess): ChildProcess | undefined {
    for (const entry of [...idle].reverse()) {
      if (wanted && entry.child !== wanted) continue;
      idle.splice(idle.indexOf(entry), 1);
      clearTimeout(entry.timer);
      if (!processes.has(entry.child) || !entry.child.connected) continue;
      entry.child.ref();
      entry.child.channel?.ref();
      return entry.child;
    }
    return undefined;
  }

  return {
    /** @param maxOfAccount renders of the account that may already be waiting */
    async render(
      content: string,
      account: string,
      maxOfAccount = maxWaitingPerAccount,
    ): Promise<RenderedBody | typeof renderingBusy> {
      const ofAccount = waiting.get(account)?.length ?? 0;
      const isFull = ofAccount >= maxOfAccount || waitingCount >= maxWaiting;
      if (isFull || isExhausted(account)) return renderingBusy;
      return bodyOf(await timed('rendering', () => enqueue(account, [content])));
    },

    /** Renders stored posts as one batch, or one by one if the batch exceeds the budget. */
    async renderStored(contents: readonly string[]): Promise<RenderedBody[]> {
      const together = await timed('rendering', () => enqueue(site, contents));
      if (Array.isArray(together)) return together;
      if (contents.length === 1) return [together];
      const bodies: RenderedBody[] = [];
      for (const content of contents) bodies.push(bodyOf(await enqueue(site, [content])));
      return bodies;
    },

    /** Gives a post that timed out three times as long, in an extra process. */
    renderWithLongerTimeout: async (content: string): Promise<RenderedBody> =>
      bodyOf(await run({ contents: [content], milliseconds: 3 * milliseconds })),

    /** Starts a process for an author who will save soon. Never rejects: renders report errors. */
    async warmUp(): Promise<void> {
      if (processes.size > 0) return;
      const child = await start().catch(() => null);
      if (!child) return;
      ofAuthors.add(child);
      keepIdle(child);
    },

    close(): void {
      for (const child of processes) child.kill('SIGKILL');
    },
  };
}

const hasProcFiles = existsSync('/proc/self/stat');

/** In milliseconds. Elapsed time where the system does not report CPU time. */
function cpuTime({ pid }: ChildProcess): number {
  if (!hasProcFiles) return performance.now();
  // proc_pid_stat(5): utime and stime are the 14th and 15th field; the second may contain spaces.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
}

function bodyOf(rendered: Rendered): RenderedBody {
  if (!Array.isArray(rendered)) return rendered;
  const [body] = rendered;
  if (!body) throw new Error('the render process returned no body');
  return body;
}

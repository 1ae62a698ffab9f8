import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { childEnvironment } from '../child-environment.ts';
import { startSynchronizer } from '../replica/synchronizer.ts';

interface SyncWork {
  file: string;
  url: string;
  /** How many syncs were requested, and how many of these requests are done. */
  counts: SharedArrayBuffer;
}

const requested = 0;
const done = 1;

/** In milliseconds, for busy machines. */
const syncTimeout = 60_000;

/** Syncs a replica from a thread of its own, so that a test can wait for it without `await`. */
export function startSyncThread(options: Omit<SyncWork, 'counts'>) {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const counts = new Int32Array(shared);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { ...options, counts: shared } satisfies SyncWork,
    env: childEnvironment(),
    execArgv: [],
  });
  worker.unref();

  function request(): number {
    const id = Atomics.add(counts, requested, 1) + 1;
    worker.postMessage(id);
    return id;
  }

  return {
    /** Blocks the thread until the replica has all commits. */
    sync(): void {
      const id = request();
      for (let at = 0; at < id; at = Atomics.load(counts, done)) {
        if (Atomics.wait(counts, done, at, syncTimeout) === 'timed-out') {
          throw new Error(`the replica ${options.file} was not synced in ${syncTimeout} ms`);
        }
      }
    },

    async caughtUp(): Promise<void> {
      const id = request();
      for (let at = 0; at < id; at = Atomics.load(counts, done)) {
        await Atomics.waitAsync(counts, done, at).value;
      }
    },

    end: () => worker.terminate(),
  };
}

export type SyncThread = ReturnType<typeof startSyncThread>;

function answer({ file, url, counts: shared }: SyncWork): void {
  const counts = new Int32Array(shared);
  const synchronizer = startSynchronizer({
    ...{ file, url },
    commits: () => Atomics.load(counts, requested),
    onRebuild: () => {
      throw new Error(`the replica ${file} is created again, which no test expects`);
    },
    onChange: () => undefined,
    onReplaced: () => undefined,
    onFailure: (error) => {
      throw error;
    },
  });
  parentPort?.on('message', async (id: number) => {
    await synchronizer.caughtUp();
    if (Atomics.load(counts, done) < id) Atomics.store(counts, done, id);
    Atomics.notify(counts, done);
  });
}

if (!isMainThread && workerData?.counts instanceof SharedArrayBuffer) answer(workerData);

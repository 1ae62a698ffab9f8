import { Worker } from 'node:worker_threads';

/** The `workerData` of the thread. */
export interface CheckpointWork {
  file: string;
  /** Milliseconds between two checkpoints. */
  interval: number;
}

/**
 * Copies the write-ahead log into the database and empties it every two seconds
 * (sqlite.org/wal.html), in a thread with a connection of its own: after a large write this takes
 * seconds, during which this thread serves requests. So the token of a used link, for one, stays in
 * the log for seconds only.
 *
 * Should the thread fail, it is started again; until then a commit that finds 64 MB in the log
 * copies them itself (see `open`).
 * @param file of the database
 * @param onError is called with errors of SQLite, their `code` included, and of the thread
 * @returns how to stop it, before the database is closed
 */
export function startCheckpoints(
  file: string,
  onError: (error: unknown) => void,
  interval = 2_000,
): () => Promise<void> {
  const script = import.meta.url.endsWith('.ts') ? 'checkpoint-worker.ts' : 'checkpoint-worker.js';
  const workerData: CheckpointWork = { file, interval };
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let worker = start();

  function start(): Worker {
    const started = new Worker(new URL(`./${script}`, import.meta.url), {
      workerData,
      // With its environment, `node --watch` would have it send messages of its own.
      env: {},
    });
    started.unref();
    started.on('message', ({ message, code }: { message: string; code?: string }) =>
      onError(Object.assign(new Error(message), { code })),
    );
    started.on('error', onError);
    started.on('exit', () => {
      if (isStopped) return;
      timer = setTimeout(() => {
        worker = start();
      }, interval).unref();
    });
    return started;
  }

  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await worker.terminate();
  };
}

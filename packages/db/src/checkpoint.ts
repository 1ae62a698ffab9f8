import { Worker } from 'node:worker_threads';
import { childEnvironment } from './child-environment.ts';
import { needsCheckpoint } from './write-ahead-log.ts';

export interface CheckpointWork {
  file: string;
  /** In milliseconds. */
  interval: number;
}

/**
 * Copies the write-ahead log into the database and empties it every two seconds
 * (sqlite.org/wal.html), so that deleted data, such as used tokens, does not stay in the log. Uses
 * a thread, because this takes seconds after a large write. The thread occupies 12 MB, so it only
 * runs while there is a log, and a little longer.
 *
 * A failed thread is restarted. Until then, and with Litestream, commits copy the log themselves
 * when it has 64 MB (see `open`).
 * @returns a function that stops it; call it before closing the database, and before the process
 * exits. The thread ends by itself, because terminating it while it loads better-sqlite3 would end
 * the whole process with SIGABRT (github.com/WiseLibs/better-sqlite3/issues/1507)
 */
export function startCheckpoints(
  file: string,
  onError: (error: unknown) => void,
  interval = 2_000,
): () => Promise<void> {
  const script = import.meta.url.endsWith('.ts') ? 'checkpoint-worker.ts' : 'checkpoint-worker.js';
  const workerData: CheckpointWork = { file, interval };
  let worker: Worker | undefined;

  function start(): Worker {
    const started = new Worker(new URL(`./${script}`, import.meta.url), {
      workerData,
      env: childEnvironment(),
    });
    started.unref();
    started.on('message', ({ message, code }: { message: string; code?: string }) =>
      onError(Object.assign(new Error(message), { code })),
    );
    started.on('error', onError);
    started.on('exit', () => {
      worker = undefined;
    });
    return started;
  }

  const timer = setInterval(() => {
    try {
      if (!worker && needsCheckpoint(file)) worker = start();
    } catch (error) {
      onError(error);
    }
  }, interval).unref();

  return async () => {
    clearInterval(timer);
    if (!worker) return;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    worker.once('exit', resolve).ref();
    worker.postMessage('stop');
    await ended;
  };
}

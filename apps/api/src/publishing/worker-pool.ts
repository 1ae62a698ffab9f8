import { Worker } from 'node:worker_threads';
import type { Effort } from './compression.ts';
import type { ExpectedFile } from './verify-files.ts';

/** One file to compress and write. The bytes are transferred to the worker. */
export interface WriteJob {
  file: string;
  bytes: Uint8Array;
  effort: Effort;
  /**
   * `staged`: to a temporary file, for `commitStaged`. `inPlace`: to its final path, for a release
   * that is not served yet.
   */
  as: 'staged' | 'inPlace';
}

export type WorkerRequest = (WriteJob | { verify: readonly ExpectedFile[] }) & { id: number };

/** The files that were written, siblings included, or that are damaged. */
export type WorkerReply =
  | { id: number; files: string[] }
  | { id: number; error: { message: string; code?: string } };

/** More would only wait for the one thread that renders. */
const poolSize = 2;

interface PoolWorker {
  thread: Worker;
  pending: Map<number, PromiseWithResolvers<string[]>>;
}

export type WorkerPool = ReturnType<typeof createWorkerPool>;

/**
 * Compresses and writes files in worker threads: the asynchronous functions of zlib and fs cost
 * the rendering thread as much time as a render. Threads start with the first file and end with
 * the process.
 */
export function createWorkerPool() {
  let workers: PoolWorker[] = [];
  let lastId = 0;

  function spawn(): PoolWorker {
    const file = import.meta.url.endsWith('.ts') ? './file-worker.ts' : './file-worker.js';
    const worker: PoolWorker = {
      thread: new Worker(new URL(file, import.meta.url)),
      pending: new Map(),
    };
    worker.thread.unref();
    worker.thread.on('message', (reply: WorkerReply) => {
      const request = worker.pending.get(reply.id);
      worker.pending.delete(reply.id);
      if ('files' in reply) request?.resolve(reply.files);
      else request?.reject(Object.assign(new Error(reply.error.message), reply.error));
      // An idle worker must not keep the process alive.
      if (worker.pending.size === 0) worker.thread.unref();
    });
    worker.thread.on('error', (error) => remove(worker, error));
    worker.thread.on('exit', () => remove(worker, new Error('the file worker has stopped')));
    return worker;
  }

  function remove(worker: PoolWorker, error: Error): void {
    workers = workers.filter((other) => other !== worker);
    for (const request of worker.pending.values()) request.reject(error);
    worker.pending.clear();
  }

  function send(
    request: WriteJob | { verify: readonly ExpectedFile[] },
    transfer: ArrayBuffer[],
  ): Promise<string[]> {
    if (workers.length < poolSize) workers.push(spawn());
    const [first, ...others] = workers;
    if (!first) throw new Error('the worker pool is empty');
    const worker = others.reduce((a, b) => (b.pending.size < a.pending.size ? b : a), first);
    lastId += 1;
    const result = Promise.withResolvers<string[]>();
    worker.pending.set(lastId, result);
    worker.thread.ref();
    worker.thread.postMessage({ ...request, id: lastId } satisfies WorkerRequest, transfer);
    return result.promise;
  }

  return {
    /** Writes a file and, if its type compresses well, its siblings. Returns their paths. */
    run(job: WriteJob): Promise<string[]> {
      // A view of Node's shared buffer pool is copied: transferring it would detach other buffers.
      const { buffer } = job.bytes;
      const ownsBuffer = buffer.byteLength === job.bytes.byteLength;
      return send(job, ownsBuffer && buffer instanceof ArrayBuffer ? [buffer] : []);
    },

    /** Returns the paths of the files that are missing or damaged. */
    verify: (files: readonly ExpectedFile[]): Promise<string[]> => send({ verify: files }, []),
  };
}

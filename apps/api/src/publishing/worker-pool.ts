import { Tinypool } from 'tinypool';
import type { Log } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';
import type { Effort } from './compression.ts';
import type { ExpectedFile } from './verify-files.ts';

/** The bytes are transferred to the worker. */
export interface WriteJob {
  file: string;
  bytes: Uint8Array;
  /** Compressed so, or copied from there: the path without `.br` and `.gz`. */
  siblings: Effort | { from: string };
  /**
   * `staged`: for `commitStaged`. `replacement`: for `flushPages`. `inPlace`: for a release that is
   * not served yet.
   */
  as: 'staged' | 'replacement' | 'inPlace';
}

export type WriteReply = { files: string[] } | { error: { message: string; code?: string } };

/** More would only wait for the one thread that renders. */
const maxThreads = 2;

/** Keeps threads ready for an author who saves again. */
const idleTimeout = 60_000;

const verifierIdleTimeout = 10_000;

/** A batch takes a fraction of a second, but a process of the lowest priority may have to wait. */
const verifyMilliseconds = 300_000;

export type WorkerPool = ReturnType<typeof createWorkerPool>;

/**
 * Compresses and writes files in worker threads: the asynchronous functions of zlib and fs cost
 * the rendering thread as much time as a render. Threads start with the first file. Files are
 * verified in a process, which returns the memory of decompressing them when it ends: after threads
 * had done it, the server occupied 56 MB more.
 */
export function createWorkerPool(log: Log) {
  const writers = new Tinypool({
    filename: programFile('file-worker', import.meta),
    minThreads: 0,
    maxThreads,
    idleTimeout,
  });
  const verifiers = createProcessPool<readonly ExpectedFile[], string[]>({
    filename: programFile('verify-process', import.meta),
    // One more for a release that replaces one that is being verified.
    maxThreads: 2,
    idleTimeout: verifierIdleTimeout,
    timeout: verifyMilliseconds,
    log,
  });

  return {
    /** @returns the paths of the file and its siblings */
    async run(job: WriteJob): Promise<string[]> {
      // A view of Node's shared buffer pool is copied: transferring it would detach other buffers.
      const { buffer } = job.bytes;
      const ownsBuffer = buffer.byteLength === job.bytes.byteLength;
      const transferList = ownsBuffer && buffer instanceof ArrayBuffer ? [buffer] : [];
      const reply: WriteReply = await writers.run(job, { transferList });
      if ('files' in reply) return reply.files;
      throw Object.assign(new Error(reply.error.message), reply.error);
    },

    /** Starts the threads, for an author who will save soon. */
    warmUp(): void {
      for (let count = writers.threads.length; count < maxThreads; count += 1) {
        // A write reports why none can be started.
        writers.run(null, { name: 'warmUp' }).catch(() => undefined);
      }
    },

    /** @returns the paths of the files that are missing or damaged */
    verify: verifiers.run,
  };
}

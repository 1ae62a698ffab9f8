import { Tinypool } from 'tinypool';
import type { Log } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';
import type { Effort } from './compression.ts';
import type { ExpectedFile } from './verify-files.ts';

export interface WriteJob {
  file: string;
  /** Transferred to the worker if they own their buffer. */
  bytes: Uint8Array;
  /** Compress them with this effort, or copy them: `from` is the path without `.br` and `.gz`. */
  siblings: Effort | { from: string };
  /**
   * `staged`: `commitStaged` follows. `replacement`: renamed at once, `flushPages` follows.
   * `inPlace`: for a release that is not served yet.
   */
  as: 'staged' | 'replacement' | 'inPlace';
}

export type WriteReply = { files: string[] } | { error: { message: string; code?: string } };

/** More threads would only wait for the single thread that renders. */
const maxThreads = 2;

/** Keeps the threads running for an author who saves again. */
const idleTimeout = 60_000;

const verifierIdleTimeout = 10_000;

/** A batch takes a fraction of a second, but a process of the lowest priority may have to wait. */
const verifyMilliseconds = 300_000;

export type WorkerPool = ReturnType<typeof createWorkerPool>;

/**
 * Compresses and writes files in worker threads: the asynchronous functions of zlib and fs would
 * cost the main thread as much time as rendering. Threads start with the first file. Files are
 * verified in a process, which frees the memory of decompression when it ends: with threads, the
 * server needed 56 MB more afterwards.
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
    // Two, because a new release may be verified while the old one still is.
    maxThreads: 2,
    idleTimeout: verifierIdleTimeout,
    timeout: verifyMilliseconds,
    log,
  });

  return {
    /** @returns the paths of the file and its siblings */
    async run(job: WriteJob): Promise<string[]> {
      // A view of Node's shared buffer pool is copied, since a transfer would detach other buffers.
      const { buffer } = job.bytes;
      const ownsBuffer = buffer.byteLength === job.bytes.byteLength;
      const transferList = ownsBuffer && buffer instanceof ArrayBuffer ? [buffer] : [];
      const reply: WriteReply = await writers.run(job, { transferList });
      if ('files' in reply) return reply.files;
      throw Object.assign(new Error(reply.error.message), reply.error);
    },

    warmUp(): void {
      for (let count = writers.threads.length; count < maxThreads; count += 1) {
        // If no thread can be started, the next write reports why.
        writers.run(null, { name: 'warmUp' }).catch(() => undefined);
      }
    },

    /** @returns the paths of the files that are missing or damaged */
    verify: verifiers.run,
  };
}

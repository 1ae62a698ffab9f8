import { Tinypool } from 'tinypool';
import { programFile } from '../server/process-pool.ts';
import type { Effort } from './compression.ts';
import type { ExpectedFile } from './verify-files.ts';

/** The bytes are transferred to the worker. */
export interface WriteJob {
  file: string;
  bytes: Uint8Array;
  effort: Effort;
  /** `staged`: for `commitStaged`. `inPlace`: for a release that is not served yet. */
  as: 'staged' | 'inPlace';
}

export type FilesReply = { files: string[] } | { error: { message: string; code?: string } };

/** More would only wait for the one thread that renders. */
const maxThreads = 2;

const idleTimeout = 10_000;

export type WorkerPool = ReturnType<typeof createWorkerPool>;

/**
 * Compresses and writes files in worker threads: the asynchronous functions of zlib and fs cost
 * the rendering thread as much time as a render. Threads start with the first file.
 */
export function createWorkerPool() {
  const pool = new Tinypool({
    filename: programFile('file-worker', import.meta),
    minThreads: 0,
    maxThreads,
    idleTimeout,
  });

  async function run(
    name: 'write' | 'verify',
    task: WriteJob | readonly ExpectedFile[],
    transferList: ArrayBuffer[] = [],
  ): Promise<string[]> {
    const reply: FilesReply = await pool.run(task, { name, transferList });
    if ('files' in reply) return reply.files;
    throw Object.assign(new Error(reply.error.message), reply.error);
  }

  return {
    /** @returns the paths of the file and its siblings */
    run(job: WriteJob): Promise<string[]> {
      // A view of Node's shared buffer pool is copied: transferring it would detach other buffers.
      const { buffer } = job.bytes;
      const ownsBuffer = buffer.byteLength === job.bytes.byteLength;
      return run('write', job, ownsBuffer && buffer instanceof ArrayBuffer ? [buffer] : []);
    },

    verify: (files: readonly ExpectedFile[]): Promise<string[]> => run('verify', files),
  };
}

import pLimit from 'p-limit';
import type { Log } from '../../log.ts';
import { createProcessPool, ProcessEnded, programFile } from '../../server/process-pool.ts';
import type { CropResult } from './crop-to-square.ts';

const maxConcurrent = 2;
const maxQueued = 8;

/** A picture of 25 megapixels takes a second or two, on a busy machine a few more. */
const timeoutMilliseconds = 30_000;

export const busy = Symbol('busy');

export type ImageProcessor = ReturnType<typeof createImageProcessor>;

/**
 * Decodes uploads in child processes, one per image: decoders are native code with a history of
 * vulnerabilities, and a large image needs 100 to 300 MB.
 * @param filename of the decoder, for tests
 */
export function createImageProcessor(
  log: Log,
  filename: string = programFile('picture-process', import.meta),
) {
  const queue = pLimit(maxConcurrent);
  const pool = createProcessPool<Uint8Array, CropResult>({
    filename,
    maxThreads: maxConcurrent,
    isolateWorkers: true,
    timeout: timeoutMilliseconds,
    log,
  });

  async function decode(bytes: Uint8Array): Promise<CropResult> {
    try {
      return await pool.run(bytes);
    } catch (error) {
      // The image crashed the decoder, or took too long.
      if (!(error instanceof ProcessEnded)) throw error;
      log.warn({ err: error }, 'an image crashed its decoder');
      return { refused: 'unreadable' };
    }
  }

  const isFull = (): boolean => queue.pendingCount >= maxQueued;

  return {
    isFull,

    /** @throws for failures that are not the image's fault */
    async crop(bytes: Uint8Array): Promise<CropResult | typeof busy> {
      if (isFull()) return busy;
      return queue(() => decode(bytes));
    },
  };
}

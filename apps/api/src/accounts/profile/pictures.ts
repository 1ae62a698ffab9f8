import pLimit from 'p-limit';
import type { Log } from '../../log.ts';
import { createProcessPool, ProcessEnded, programFile } from '../../server/process-pool.ts';
import type { CropResult } from './crop-to-square.ts';

/** How many pictures are decoded at a time, and how many more may wait. */
const atOnce = 2;
const maxQueued = 8;

/** A picture of 25 megapixels takes a second or two, on a busy machine some more; then it is an attack. */
const timeoutMilliseconds = 30_000;

/** Too many wait already. */
export const busy = Symbol('busy');

export type ImageProcessor = ReturnType<typeof createImageProcessor>;

/**
 * Decodes pictures that strangers send, each in a process of its own. Decoders are compiled code
 * with a long history of holes: there they can neither hold up, nor take down, nor look into
 * the server, and the 100 to 300 MB that a large picture needs go back to the system at once.
 * @param filename of the program that decodes; tests have one that fails
 */
export function createImageProcessor(
  log: Log,
  filename: string = programFile('picture-process', import.meta),
) {
  const inTurn = pLimit(atOnce);
  const pool = createProcessPool<Uint8Array, CropResult>({
    filename,
    maxThreads: atOnce,
    isolateWorkers: true,
    timeout: timeoutMilliseconds,
    log,
  });

  async function decode(bytes: Uint8Array): Promise<CropResult> {
    try {
      return await pool.run(bytes);
    } catch (error) {
      // Ended by what the file made of the decoder, or since it took too long.
      if (!(error instanceof ProcessEnded)) throw error;
      log.warn({ err: error }, 'an image crashed its decoder');
      return { refused: 'unreadable' };
    }
  }

  const isFull = (): boolean => inTurn.pendingCount >= maxQueued;

  return {
    /** Whether one more picture would be refused. */
    isFull,

    /** An avatar's two pictures, or why there are none. @throws when it is not the file's fault. */
    async square(bytes: Uint8Array): Promise<CropResult | typeof busy> {
      if (isFull()) return busy;
      return inTurn(() => decode(bytes));
    },
  };
}

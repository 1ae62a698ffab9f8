import type { ImageRefusal } from '@app/contract/images';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Log } from '../log.ts';
import { createLruCache } from '../lru-cache.ts';
import { createProcessPool, ProcessEnded, programFile } from '../server/process-pool.ts';
import { timed } from '../server/request-time.ts';
import type { AvatarImages } from './crop-to-square.ts';
import type { ImageTask } from './image-process.ts';
import type { PictureImages } from './resize-picture.ts';

const maxConcurrent = 2;
const maxQueued = 8;
/** Leaves room for other accounts. The editor sends one picture at a time. */
const maxQueuedOfAccount = 2;

/** A picture of 12 megapixels takes three seconds, and several times that on a busy machine. */
const timeoutMilliseconds = 60_000;

export const busy = Symbol('busy');

interface Refused {
  refused: ImageRefusal;
}

export type ImageProcessor = ReturnType<typeof createImageProcessor>;

/**
 * Decodes uploads in child processes, one per image: decoders are native code with a history of
 * vulnerabilities, and a large image needs 100 to 400 MB. Each account has one image decoded at a
 * time, so that one author's pictures do not delay others.
 * @param filename of the decoder, for tests
 */
export function createImageProcessor(
  log: Log,
  filename: string = programFile('image-process', import.meta),
) {
  const queue = pLimit(maxConcurrent);
  /** By account. */
  const queues = createLruCache<LimitFunction>(1_000);
  let underway = 0;
  const pool = createProcessPool<ImageTask, AvatarImages | PictureImages | Refused>({
    filename,
    maxThreads: maxConcurrent,
    isolateWorkers: true,
    timeout: timeoutMilliseconds,
    log,
  });

  async function decode(task: ImageTask): Promise<AvatarImages | PictureImages | Refused> {
    try {
      return await pool.run(task);
    } catch (error) {
      // The image crashed the decoder or took too long.
      if (!(error instanceof ProcessEnded)) throw error;
      log.warn({ err: error }, 'an image crashed its decoder');
      return { refused: 'unreadable' };
    }
  }

  const isFull = (): boolean => underway >= maxConcurrent + maxQueued;

  async function inTurn<Result>(
    account: string,
    task: ImageTask,
  ): Promise<Result | Refused | typeof busy> {
    const accountQueue = queues.get(account) ?? pLimit(1);
    if (isFull() || accountQueue.pendingCount >= maxQueuedOfAccount) return busy;
    queues.set(account, accountQueue);
    underway += 1;
    try {
      return await timed('images', () =>
        accountQueue(() => queue(() => decode(task) as Promise<Result | Refused>)),
      );
    } finally {
      underway -= 1;
    }
  }

  return {
    /** Lets requests be rejected before their upload is read. */
    isFull,

    /** @throws if the decoder itself fails, like `resizePicture` */
    cropToSquare: (bytes: Uint8Array, account: string) =>
      inTurn<AvatarImages>(account, { name: 'cropToSquare', bytes }),

    resizePicture: (bytes: Uint8Array, account: string) =>
      inTurn<PictureImages>(account, { name: 'resizePicture', bytes }),
  };
}

import { availableParallelism } from 'node:os';
import { hour } from '@app/contract/durations';
import type { ImageRefusal } from '@app/contract/images';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createLruCache } from '../lru-cache.ts';
import { createProcessPool, ProcessEnded, programFile } from '../server/process-pool.ts';
import { timed } from '../server/request-time.ts';
import type { AvatarImages } from './crop-to-square.ts';
import type { ImageDone, ImageTask } from './image-process.ts';
import type { PictureImages } from './resize-picture.ts';

/** A core stays for the server. */
const maxConcurrent = Math.min(2, Math.max(1, availableParallelism() - 1));
/** With images in progress or waiting. */
const maxAccounts = 16;
/** In progress or waiting. The editor sends one at a time. */
const maxOfAccount = 3;

/** CPU time per account and hour: more than a hundred photos of 12 megapixels. */
const maxCpuTime = 300_000;

/** Elapsed time. A picture takes a few seconds, and several times that on a busy machine. */
const timeoutMilliseconds = 60_000;

const idleMilliseconds = 10_000;

/**
 * Overwrites memory that is freed or allocated (mallopt(3)), so that a decoder that reads
 * uninitialized memory cannot show parts of an earlier image (CVE-2017-9098).
 */
const perturbation = '1';

/** Because of the image. */
export interface ImageRefused {
  refused: ImageRefusal;
}

/** Because of other images. */
export interface ImageNotNow {
  refused: 'busy' | 'too-many-at-once' | 'time-spent';
  retryAfterSeconds: number;
}

export type ImageFailure = ImageRefused | ImageNotNow;

type Done = ImageDone<AvatarImages | PictureImages | ImageRefused>;

interface Options {
  log: Log;
  clock?: Clock;
  /** Of the decoder, for tests. */
  filename?: string;
}

export type ImageProcessor = ReturnType<typeof createImageProcessor>;

/**
 * Decodes uploads in child processes: decoders are native code with a history of vulnerabilities,
 * and a large image needs 100 to 400 MB. Accounts take turns with one image each, and each has
 * limited CPU time, so that no account keeps the others waiting.
 *
 * A process decodes many images, because starting one blocks the event loop: fork(2) copies the
 * page tables of the server.
 */
export function createImageProcessor({
  log,
  clock = systemClock,
  filename = programFile('image-process', import.meta),
}: Options) {
  /** At most one image of each account is in this queue, behind those of all others. */
  const queue = pLimit(maxConcurrent);
  const accounts = new Map<string, { images: number; oneByOne: LimitFunction }>();
  /** CPU time in milliseconds, by account, until the end of its hour. */
  const usage = createLruCache<{ spent: number; end: number }>(10_000);
  const pool = createProcessPool<ImageTask, Done>({
    filename,
    maxThreads: maxConcurrent,
    idleTimeout: idleMilliseconds,
    env: { MALLOC_PERTURB_: perturbation },
    timeout: timeoutMilliseconds,
    log,
  });

  function usageOf(account: string): { spent: number; end: number } {
    const now = clock.monotonic();
    const known = usage.get(account);
    return known && now < known.end ? known : { spent: 0, end: now + hour };
  }

  /** Lets a request be refused before its upload is read. */
  function refuse(account: string): ImageNotNow | null {
    const images = accounts.get(account)?.images ?? 0;
    if (images >= maxOfAccount) return { refused: 'too-many-at-once', retryAfterSeconds: 5 };
    const { spent, end } = usageOf(account);
    if (spent >= maxCpuTime) {
      const retryAfterSeconds = Math.ceil((end - clock.monotonic()) / 1_000);
      return { refused: 'time-spent', retryAfterSeconds };
    }
    const isFull = images === 0 && accounts.size >= maxAccounts;
    return isFull ? { refused: 'busy', retryAfterSeconds: 5 } : null;
  }

  async function decode(account: string, task: ImageTask): Promise<Done['result']> {
    const began = clock.monotonic();
    let cpuTime: number | undefined;
    try {
      const done = await pool.run(task);
      cpuTime = done.cpuTime;
      return done.result;
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      log.warn({ err: error }, 'an image ended its decoder');
      // It exceeded its CPU time, or timed out. Any other signal is a crash.
      const isSlow = error.signal === 'SIGXCPU' || error.signal === null;
      return { refused: isSlow ? 'too-complex' : 'unreadable' };
    } finally {
      const { spent, end } = usageOf(account);
      usage.set(account, { spent: spent + (cpuTime ?? clock.monotonic() - began), end });
    }
  }

  async function inTurn<Result>(account: string, task: ImageTask): Promise<Result | ImageFailure> {
    const refusal = refuse(account);
    if (refusal) return refusal;
    const theirs = accounts.get(account) ?? { images: 0, oneByOne: pLimit(1) };
    accounts.set(account, theirs);
    theirs.images += 1;
    const run = () => decode(account, task) as Promise<Result | ImageRefused>;
    try {
      return await timed('images', () => theirs.oneByOne(() => queue(run)));
    } finally {
      theirs.images -= 1;
      if (theirs.images === 0) accounts.delete(account);
    }
  }

  return {
    refuse,

    /** @throws if the decoder itself fails, like `resizePicture` */
    cropToSquare: (bytes: Uint8Array, account: string) =>
      inTurn<AvatarImages>(account, { name: 'cropToSquare', bytes }),

    resizePicture: (bytes: Uint8Array, account: string) =>
      inTurn<PictureImages>(account, { name: 'resizePicture', bytes }),
  };
}

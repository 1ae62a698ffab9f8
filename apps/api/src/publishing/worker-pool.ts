import { Worker } from 'node:worker_threads';
import type { Effort } from './compression.ts';
import type { ExpectedFile } from './verify-files.ts';

/** One file for the press: how hard to compress it, and whether readers may be served it meanwhile. */
export interface PressJob {
  file: string;
  bytes: Uint8Array;
  effort: Effort;
  /**
   * `staged`: written beside its place, for `placeFiles`. `inPlace`: written where
   * it belongs, for a release that nobody is served.
   */
  as: 'staged' | 'inPlace';
}

export type PressRequest = (PressJob | { verify: readonly ExpectedFile[] }) & { id: number };

/** The files that were written, siblings included, or that are not intact; or why there is no answer. */
export type PressReply =
  | { id: number; files: string[] }
  | { id: number; error: { message: string; code?: string } };

/** Two: more would only wait for the one thread that renders. */
const hands = 2;

interface Hand {
  worker: Worker;
  waiting: Map<number, PromiseWithResolvers<string[]>>;
}

export type Press = ReturnType<typeof createPress>;

/**
 * Compresses files and writes them, in threads of its own: zlib's and fs's
 * asynchronous functions cost the thread that renders as much time as a render.
 * The threads start with the first file and end with the process.
 */
export function createPress() {
  let crew: Hand[] = [];
  let lastId = 0;

  function hire(): Hand {
    const file = import.meta.url.endsWith('.ts') ? './file-worker.ts' : './file-worker.js';
    const hand: Hand = { worker: new Worker(new URL(file, import.meta.url)), waiting: new Map() };
    hand.worker.unref();
    hand.worker.on('message', (reply: PressReply) => {
      const waiting = hand.waiting.get(reply.id);
      hand.waiting.delete(reply.id);
      if ('files' in reply) waiting?.resolve(reply.files);
      else waiting?.reject(Object.assign(new Error(reply.error.message), reply.error));
      // Only while it works does it keep the process alive.
      if (hand.waiting.size === 0) hand.worker.unref();
    });
    hand.worker.on('error', (error) => dismiss(hand, error));
    hand.worker.on('exit', () => dismiss(hand, new Error('the press has stopped')));
    return hand;
  }

  function dismiss(hand: Hand, error: Error): void {
    crew = crew.filter((one) => one !== hand);
    for (const waiting of hand.waiting.values()) waiting.reject(error);
    hand.waiting.clear();
  }

  function ask(
    request: PressJob | { verify: readonly ExpectedFile[] },
    handedOver: ArrayBuffer[],
  ): Promise<string[]> {
    if (crew.length < hands) crew.push(hire());
    const [first, ...others] = crew;
    if (!first) throw new Error('the press has no hands');
    const hand = others.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a), first);
    lastId += 1;
    const waiting = Promise.withResolvers<string[]>();
    hand.waiting.set(lastId, waiting);
    hand.worker.ref();
    hand.worker.postMessage({ ...request, id: lastId } satisfies PressRequest, handedOver);
    return waiting.promise;
  }

  return {
    /**
     * Compresses a file if its kind is worth it, and writes it and its siblings;
     * gives their names. The bytes are the press's from then on.
     */
    run(job: PressJob): Promise<string[]> {
      // Handed over instead of copied, unless Node keeps other things in the same memory.
      const { buffer } = job.bytes;
      const isWhole = buffer.byteLength === job.bytes.byteLength;
      return ask(job, isWhole && buffer instanceof ArrayBuffer ? [buffer] : []);
    },

    /** Reads files, and gives the names of those that are not what they should be. */
    verify: (files: readonly ExpectedFile[]): Promise<string[]> => ask({ verify: files }, []),
  };
}

import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import type { Log } from '../../log.ts';
import type { CropResult } from './crop-to-square.ts';

/** `broken`: the signal that ended the process before it was done. */
type Decoded = CropResult | { broken: NodeJS.Signals };

/** How many pictures are decoded at a time, and how many more may wait. */
const atOnce = 2;
const maxQueued = 8;

/** A picture of 25 megapixels takes a second or two, on a busy machine some more; then it is an attack. */
const timeoutMilliseconds = 30_000;

/** A third of what the server gets where both want the same core (nice 5): the sender waits, too. */
const priority = 5;

/** Too many wait already. */
export const busy = Symbol('busy');

export type ImageProcessor = ReturnType<typeof createImageProcessor>;

/**
 * Decodes pictures that strangers send, each in a process of its own. Decoders are compiled code
 * with a long history of holes: there they can neither hold up, nor take down, nor look into
 * the server, and the 100 to 300 MB that a large picture needs go back to the system at once.
 * @param file of the program that decodes; tests have one that fails
 */
export function createImageProcessor(log: Log, file: string = programFile()) {
  const inTurn = pLimit(atOnce);

  function decode(bytes: Uint8Array): Promise<Decoded> {
    return new Promise((resolve, reject) => {
      const child = fork(file, {
        execArgv: [],
        // No secret of the server's is in its environment.
        env: {},
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMilliseconds);
      child.on('message', resolve);
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        clearTimeout(timer);
        // Ended from outside: what the file made of the decoder, or took too long.
        if (signal) resolve({ broken: signal });
        else reject(new Error(`the process that decodes pictures ended with ${code}`));
      });
      if (child.pid !== undefined) setPriority(child.pid, priority);
      child.send(bytes);
    });
  }

  const isFull = (): boolean => inTurn.pendingCount >= maxQueued;

  return {
    /** Whether one more picture would be refused. */
    isFull,

    /** An avatar's two pictures, or why there are none. @throws when it is not the file's fault. */
    async square(bytes: Uint8Array): Promise<CropResult | typeof busy> {
      if (isFull()) return busy;
      const decoded = await inTurn(() => decode(bytes));
      if (!('broken' in decoded)) return decoded;
      log.warn({ signal: decoded.broken }, 'an image crashed its decoder');
      return { refused: 'unreadable' };
    },
  };
}

const programFile = (): string => {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`./picture-process.${ending}`, import.meta.url));
};

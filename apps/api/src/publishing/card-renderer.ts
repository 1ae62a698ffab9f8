import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

export type CardReply = { png: Uint8Array } | { error: string };

/** How long the process waits for the next card before it ends. */
const idleMilliseconds = 5_000;

export type CardDrawing = ReturnType<typeof createCardDrawing>;

/**
 * Draws cards, one at a time, in a process of the lowest priority, which comes with the first
 * card and goes with the last. Not in a thread: what draws is compiled code that keeps its
 * memory and could take the whole process down, and only a process stands back for readers.
 * @param module of the build, exports `drawCard`
 */
export function createCardDrawing(module: string) {
  let child: ChildProcess | undefined;
  let underway: PromiseWithResolvers<Uint8Array> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function begin(): ChildProcess {
    const name = import.meta.url.endsWith('.ts') ? './card-process.ts' : './card-process.js';
    const file = fileURLToPath(new URL(name, import.meta.url));
    const started = fork(file, [module], {
      execArgv: [],
      // Of the server's settings it needs none; `node --watch` would have it send messages of its own.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('message', (reply: CardReply) => {
      if ('png' in reply) underway?.resolve(reply.png);
      else underway?.reject(new Error(reply.error));
    });
    const end = (reason: string) => {
      // One that was told to go has nothing to do with the card that another one draws by now.
      if (child !== started) return;
      child = undefined;
      underway?.reject(new Error(reason));
    };
    started.on('error', (error) => end(error.message));
    started.on('exit', (code, signal) =>
      end(`the process that draws ended with ${signal ?? code}`),
    );
    if (started.pid !== undefined) setPriority(started.pid, constants.priority.PRIORITY_LOW);
    return started;
  }

  function end(): void {
    child?.disconnect();
    child = undefined;
  }

  return {
    /** A title's card as PNG. The one before has to be finished. */
    async draw(title: string): Promise<Uint8Array> {
      clearTimeout(idleTimer);
      child ??= begin();
      underway = Promise.withResolvers();
      try {
        child.send(title);
        return await underway.promise;
      } finally {
        underway = undefined;
        idleTimer = setTimeout(end, idleMilliseconds).unref();
      }
    },

    /** Ends the process; a card underway fails. */
    stop(): void {
      clearTimeout(idleTimer);
      child?.kill('SIGKILL');
    },
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

export type CardReply = { png: Uint8Array } | { error: string };

/** How long an idle process waits for the next card before it exits. */
const idleMilliseconds = 5_000;

export type CardRenderer = ReturnType<typeof createCardRenderer>;

/**
 * Renders social cards, one at a time, in a child process of the lowest priority. Not in a thread:
 * the native code holds on to its memory and could crash the server, and only a process can yield
 * the CPU to page requests.
 * @param module of the build, exports `drawCard`
 */
export function createCardRenderer(module: string) {
  let child: ChildProcess | undefined;
  let pending: PromiseWithResolvers<Uint8Array> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function spawn(): ChildProcess {
    const name = import.meta.url.endsWith('.ts') ? './card-process.ts' : './card-process.js';
    const file = fileURLToPath(new URL(name, import.meta.url));
    const spawned = fork(file, [module], {
      execArgv: [],
      // Needs no settings; under `node --watch` it would send messages of its own.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    spawned.on('message', (reply: CardReply) => {
      if ('png' in reply) pending?.resolve(reply.png);
      else pending?.reject(new Error(reply.error));
    });
    const onEnd = (reason: string) => {
      // A process that timed out must not reject the card of its successor.
      if (child !== spawned) return;
      child = undefined;
      pending?.reject(new Error(reason));
    };
    spawned.on('error', (error) => onEnd(error.message));
    spawned.on('exit', (code, signal) => onEnd(`the card process ended with ${signal ?? code}`));
    if (spawned.pid !== undefined) setPriority(spawned.pid, constants.priority.PRIORITY_LOW);
    return spawned;
  }

  function terminate(): void {
    child?.disconnect();
    child = undefined;
  }

  return {
    /** Renders a title's card as PNG. Call again only after the previous card is done. */
    async render(title: string): Promise<Uint8Array> {
      clearTimeout(idleTimer);
      child ??= spawn();
      pending = Promise.withResolvers();
      try {
        child.send(title);
        return await pending.promise;
      } finally {
        pending = undefined;
        idleTimer = setTimeout(terminate, idleMilliseconds).unref();
      }
    },

    /** Kills the process; a card in progress fails. */
    stop(): void {
      clearTimeout(idleTimer);
      child?.kill('SIGKILL');
    },
  };
}

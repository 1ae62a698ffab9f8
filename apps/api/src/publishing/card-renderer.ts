import type { Log } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';

export interface CardTask {
  /** The build's module that exports `drawCard`. */
  module: string;
  title: string;
}

/** How long an idle process waits for the next card before it exits. */
const idleMilliseconds = 5_000;

/** A card takes a fraction of a second, but a process of the lowest priority may have to wait. */
const timeoutMilliseconds = 60_000;

/**
 * Renders social cards, one at a time, in a child process of the lowest priority. Not in a thread:
 * the native code holds on to its memory and could crash the server, and only a process can yield
 * the CPU to page requests.
 * @param module of the build, exports `drawCard`
 */
export function createCardRenderer(module: string, log: Log) {
  const pool = createProcessPool<CardTask, Uint8Array>({
    filename: programFile('card-process', import.meta),
    maxThreads: 1,
    idleTimeout: idleMilliseconds,
    timeout: timeoutMilliseconds,
    log,
  });
  return {
    /** Renders a title's card as PNG. Call again only after the previous card is done. */
    render: (title: string): Promise<Uint8Array> => pool.run({ module, title }),

    /** Ends the process; a card in progress fails. */
    stop: pool.end,
  };
}

import type { Log } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';

export interface CardTask {
  /** Exports `drawCard`. */
  module: string;
  title: string;
}

const idleMilliseconds = 5_000;

/** For a process that hangs. One of the lowest priority can wait for minutes on a busy machine. */
const timeoutMilliseconds = 600_000;

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
    execArgv: ['--max-semi-space-size=2', '--max-old-space-size=64'],
    idleTimeout: idleMilliseconds,
    timeout: timeoutMilliseconds,
    log,
  });
  return {
    render: (title: string): Promise<Uint8Array> => pool.run({ module, title }),

    stop: pool.end,
  };
}

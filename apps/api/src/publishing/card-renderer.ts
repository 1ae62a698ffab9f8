import type { Log } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';

export interface CardTask {
  /** Path of the module of the build that exports `drawCard`. */
  module: string;
  title: string;
}

const idleMilliseconds = 5_000;

/** For a hung process. Long, because the lowest priority can wait for minutes on a busy machine. */
const timeoutMilliseconds = 600_000;

/**
 * Renders social cards, one at a time, in a child process with the lowest priority. Not in a thread:
 * the native code does not release its memory and could crash the server, and only a process can
 * yield the CPU to page requests.
 * @param module path of the module of the build that exports `drawCard`
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

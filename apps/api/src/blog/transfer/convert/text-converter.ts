import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { Log } from '../../../log.ts';
import { createProcessPool, ProcessEnded, programFile } from '../../../server/process-pool.ts';
import type { ConvertedText, TextTask } from './convert-text.ts';

/** Per text, including the start of a process, which takes seconds on a busy machine. */
const timeoutMilliseconds = 60_000;

/** In MB. */
const processMemory = 512;

const maxProcesses = Math.min(2, availableParallelism());

export type TextConverter = ReturnType<typeof createTextConverter>;

/** Turns texts into Markdown in child processes, each text with a budget of time and memory. */
export function createTextConverter(log: Log) {
  const limit = pLimit(maxProcesses);
  const pool = createProcessPool<TextTask, ConvertedText>({
    filename: programFile('convert-process', import.meta),
    maxThreads: maxProcesses,
    idleTimeout: 5_000,
    execArgv: [`--max-old-space-size=${processMemory}`],
    timeout: timeoutMilliseconds,
    log,
  });

  return {
    /** If one text exceeds its budget, the conversion of others continues. */
    convert: (task: TextTask): Promise<ConvertedText> =>
      limit(async () => {
        if (task.format === 'exact' && !task.paths) {
          return { markdown: task.text, notes: [], images: [] };
        }
        try {
          return await pool.run(task);
        } catch (error) {
          if (error instanceof ProcessEnded) {
            return { problem: 'it takes too long to turn into Markdown' };
          }
          throw error;
        }
      }),

    end: pool.end,
  };
}

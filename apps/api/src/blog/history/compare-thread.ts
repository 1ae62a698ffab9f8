import { Tinypool } from 'tinypool';
import { programFile } from '../../server/process-pool.ts';

/** More would wait for seconds. */
const maxWaiting = 20;

const idleTimeout = 10_000;

/**
 * Compares texts in a thread, which starts with the first ones: a long text with many changes takes
 * 100 ms.
 */
export function createComparisons() {
  const pool = new Tinypool({
    filename: programFile('compare-worker', import.meta),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout,
  });
  return {
    /** @returns HTML of each pair; null if too many wait */
    async compare(pairs: readonly (readonly [string, string])[]): Promise<string[] | null> {
      return pool.queueSize < maxWaiting ? pool.run(pairs) : null;
    },
  };
}

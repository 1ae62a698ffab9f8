import type { Log } from '../log.ts';
import { removeOtherReleases } from './release.ts';

interface OldReleasesParts {
  log: Log;
  dataDir: string;
  signal: AbortSignal;
}

export type OldReleases = ReturnType<typeof createOldReleases>;

/**
 * Removes releases that are no longer served. On a busy disk, a large one takes a minute: neither a
 * start nor a save waits for it, and a stop ends it.
 */
export function createOldReleases({ log, dataDir, signal }: OldReleasesParts) {
  let removing = Promise.resolve();

  async function remove(): Promise<void> {
    try {
      await removeOtherReleases(dataDir, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'could not remove old releases; the next start tries again');
    }
  }

  return {
    /** While no new one is being made. Never throws: old releases only take up space. */
    remove(): Promise<void> {
      removing = removing.then(remove);
      return removing;
    },

    settled: (): Promise<void> => removing,
  };
}

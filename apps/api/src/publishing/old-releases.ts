import type { Log } from '../log.ts';
import { removeOtherReleases } from './release.ts';

interface OldReleasesParts {
  log: Log;
  dataDir: string;
  signal: AbortSignal;
}

export type OldReleases = ReturnType<typeof createOldReleases>;

/**
 * Removes releases that are no longer served. A large one can take a minute on a busy disk, so
 * neither startup nor saving waits for it, and stopping the server interrupts it.
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
    /** Must not run while a release is being created. Never throws: old ones only take up space. */
    remove(): Promise<void> {
      removing = removing.then(remove);
      return removing;
    },

    settled: (): Promise<void> => removing,
  };
}

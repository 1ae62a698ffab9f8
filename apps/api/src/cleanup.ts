import type { Deps } from './deps.ts';
import { features } from './features.ts';

/** Late enough for a start to be over, early enough for a server that is restarted often. */
const firstMilliseconds = 5_000;
const hour = 60 * 60 * 1_000;

/**
 * Runs the cleanup of each feature soon after the start and then every hour, one after the other;
 * none stops another by failing.
 * @returns how to stop it
 */
export function startCleanup(deps: Deps): () => void {
  let timer: NodeJS.Timeout;
  let isStopped = false;

  async function cleanUp(): Promise<void> {
    for (const { name, cleanup } of features) {
      if (isStopped) return;
      try {
        await cleanup?.(deps);
      } catch (error) {
        if (deps.storage.note(error) === null) {
          deps.log.error({ err: error, feature: name }, 'cleanup failed');
        }
      }
    }
    if (!isStopped) timer = setTimeout(cleanUp, hour).unref();
  }

  timer = setTimeout(cleanUp, firstMilliseconds).unref();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

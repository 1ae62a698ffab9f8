import type { Deps } from './deps.ts';
import { features } from './features.ts';

/** After the start is done, but not too late for servers that restart often. */
const firstMilliseconds = 5_000;
const hour = 60 * 60 * 1_000;

/** After the start and then every hour. @returns a function that stops it */
export function startCleanup(deps: Deps): () => void {
  let timer: NodeJS.Timeout;
  let isStopped = false;

  async function cleanUp(): Promise<void> {
    for (const { name, cleanups = [] } of features) {
      for (const cleanup of cleanups) {
        if (isStopped) return;
        try {
          await cleanup(deps);
        } catch (error) {
          if (deps.storage.note(error) === null) {
            deps.log.error({ err: error, feature: name }, 'cleanup failed');
          }
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

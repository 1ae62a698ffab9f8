import type { Log } from '../log.ts';
import { createLruCache } from '../lru-cache.ts';

const maxLogged = 500;
const maxPathLength = 200;

/** Logs the path of each missing page once (spec §2, not found). */
export function createMissingPages(log: Log) {
  const logged = createLruCache<true>(maxLogged);

  return {
    /** @param path without its query, which may contain a token */
    note(path: string): void {
      const truncated = path.slice(0, maxPathLength);
      if (logged.get(truncated)) return;
      logged.set(truncated, true);
      log.warn({ path: truncated }, 'page not found');
    },
  };
}

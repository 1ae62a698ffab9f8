import type { Log } from '../log.ts';

const maxLogged = 500;
const maxPathLength = 200;

/** Logs the paths of missing pages (spec §2, not found), without repetitions. */
export function createMissingPages(log: Log) {
  const logged = new Set<string>();

  return {
    /** @param path without its query, which may contain a token */
    note(path: string): void {
      const truncated = path.slice(0, maxPathLength);
      if (logged.has(truncated)) return;
      if (logged.size === maxLogged) {
        for (const oldest of logged.values().take(1)) logged.delete(oldest);
      }
      logged.add(truncated);
      log.warn({ path: truncated }, 'page not found');
    },
  };
}

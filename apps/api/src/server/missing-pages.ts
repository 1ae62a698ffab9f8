import type { Log } from '../log.ts';

/** How many missing paths are remembered as logged; then the oldest is forgotten. */
const mostRemembered = 500;
/** How much of a path is remembered, in characters. */
const longestPath = 200;

/**
 * Logs the paths that visitors asked for in vain (spec §2, not found): each once, while
 * it is remembered.
 */
export function createMissingPages(log: Log) {
  const logged = new Set<string>();

  return {
    /** @param path without its query: links carry secrets there */
    note(path: string): void {
      const kept = path.slice(0, longestPath);
      if (logged.has(kept)) return;
      if (logged.size === mostRemembered) {
        for (const oldest of logged.values().take(1)) logged.delete(oldest);
      }
      logged.add(kept);
      log.warn({ path: kept }, 'page not found');
    },
  };
}

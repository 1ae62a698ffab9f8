import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

/** How many missing paths are remembered as logged; then the oldest is forgotten. */
const mostRemembered = 500;
/** How many lines may be written in a minute, so that a crawler does not fill the log. */
const mostPerMinute = 20;
/** How much of a path is kept, in characters. */
const longestPath = 200;
const minute = 60_000;

/**
 * Logs the paths that visitors asked for in vain (spec §2, not found): each once, while
 * it is remembered. What a minute has too many of is only counted, and the count is
 * logged when the next path comes after that minute.
 */
export function createMissingPages(log: Log, clock: Clock) {
  const logged = new Set<string>();
  let minuteEnds = 0;
  let written = 0;
  let leftOut = 0;

  const startMinute = (now: number): void => {
    if (leftOut > 0) log.warn({ leftOut }, 'more missing pages than are logged in a minute');
    minuteEnds = now + minute;
    written = 0;
    leftOut = 0;
  };

  return {
    /** @param path without its query: links carry secrets there */
    note(path: string): void {
      const now = clock.now();
      if (now >= minuteEnds) startMinute(now);
      const kept = path.slice(0, longestPath);
      if (logged.has(kept)) return;
      if (written === mostPerMinute) {
        leftOut += 1;
        return;
      }
      written += 1;
      if (logged.size === mostRemembered) {
        for (const oldest of logged.values().take(1)) logged.delete(oldest);
      }
      logged.add(kept);
      log.warn({ path: kept }, 'page not found');
    },
  };
}

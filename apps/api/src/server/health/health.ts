import type { Log } from '../../log.ts';

export type Health = ReturnType<typeof createHealth>;

/**
 * Problems of a server that still serves pages, listed by /api/health. Each is identified by its
 * source, and logged once when it appears and once when it is resolved.
 */
export function createHealth(log: Log) {
  const known = new Map<string, string>();
  return {
    /** @param text one sentence for the operator, safe to show publicly: no paths, no names. */
    report(source: string, text: string): void {
      if (known.get(source) === text) return;
      known.set(source, text);
      log.error({ source, problem: text }, 'degraded');
    },

    clear(source: string): void {
      if (known.delete(source)) log.info({ source }, 'recovered');
    },

    has: (source: string): boolean => known.has(source),

    /** One sentence per problem, oldest first. */
    problems: (): string[] => [...known.values()],
  };
}

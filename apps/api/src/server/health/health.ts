import type { Log } from '../../log.ts';

export type Health = ReturnType<typeof createHealth>;

/**
 * What is wrong while the server still serves pages: /api/health lists it. Each problem is known
 * by the name of its source, and is logged once when it appears and once when it is over.
 */
export function createHealth(log: Log) {
  const known = new Map<string, string>();
  return {
    /** @param text one sentence for the operator, safe to show to anybody: no paths, no names. */
    report(source: string, text: string): void {
      if (known.get(source) === text) return;
      known.set(source, text);
      log.error({ source, problem: text }, 'degraded');
    },

    /** The source works again. */
    clear(source: string): void {
      if (known.delete(source)) log.info({ source }, 'recovered');
    },

    has: (source: string): boolean => known.has(source),

    /** One sentence for each problem, the oldest first. */
    problems: (): string[] => [...known.values()],
  };
}

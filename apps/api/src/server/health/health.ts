import type { Log } from '../../log.ts';

export type Health = ReturnType<typeof createHealth>;

/** The problems that /api/health lists, by source. Logged when they appear and when they end. */
export function createHealth(log: Log) {
  const known = new Map<string, string>();
  let isStopping = false;
  return {
    /**
     * @param text one sentence that is safe to publish: no paths, no names
     * @param reason for the log
     */
    report(source: string, text: string, reason?: string): void {
      if (known.get(source) === text) return;
      known.set(source, text);
      log.error({ source, problem: text, ...(reason && { reason }) }, 'degraded');
    },

    clear(source: string): void {
      if (known.delete(source)) log.info({ source }, 'recovered');
    },

    /** Oldest first. */
    problems: (): string[] => [...known.values()],

    /** Makes the server not ready. */
    stop(): void {
      isStopping = true;
    },

    isStopping: (): boolean => isStopping,
  };
}

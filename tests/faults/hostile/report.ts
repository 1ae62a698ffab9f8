export type StatusCounts = Record<string, Record<string, number>>;

export interface Reads {
  count: number;
  p50: number;
  p99: number;
  max: number;
  statuses: Record<string, number>;
}

export interface HostileReport {
  seconds: number;
  reads: Reads;
  attacks: StatusCounts;
  honest: Record<string, number>;
  /** p99 of an author's saves, in milliseconds, before and during the attacks. */
  saves: { quiet: number; attacked: number };
  server: { peakMemory: number; logBytes: number; storedBytes: number };
  violations: string[];
}

export function formatReport({
  seconds,
  reads,
  attacks,
  honest,
  saves,
  server,
}: HostileReport): string {
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', ');
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return [
    `${seconds} seconds of attacks`,
    `reads: ${reads.count} (${list(reads.statuses)}), p50 ${ms(reads.p50)}, p99 ${ms(reads.p99)}, slowest ${ms(reads.max)}`,
    `honest people: ${list(honest)}`,
    `saves: p99 ${ms(saves.attacked)}, ${ms(saves.quiet)} before the attacks`,
    `server: ${server.peakMemory} MB at most, ${server.logBytes} bytes of log, ${(server.storedBytes / 1e6).toFixed(0)} MB stored`,
    ...Object.entries(attacks).map(([name, statuses]) => `  ${name}: ${list(statuses)}`),
  ].join('\n');
}

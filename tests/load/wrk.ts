import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Requests per second with wrk, one thread. */
export const requestsPerSecond = async (
  url: string,
  connections: number,
  seconds: number,
): Promise<number> => (await wrk(url, connections, seconds)).requestsPerSecond;

/**
 * Loads the server at `url` with wrk, one thread.
 * @param script in Lua, for other requests than GET
 * @returns `p99` in milliseconds
 */
export async function wrk(
  url: string,
  connections: number,
  seconds: number,
  script?: string,
): Promise<{ requestsPerSecond: number; p99: number }> {
  // Asynchronous, because the server's log must be read meanwhile.
  const { stdout: output } = await promisify(execFile)('wrk', [
    ...['-t1', `-c${connections}`, `-d${seconds}s`, '--latency'],
    ...(script === undefined ? ['-H', 'Accept-Encoding: gzip'] : ['-s', script]),
    url,
  ]);
  if (/Non-2xx/.test(output)) {
    throw new Error(`${url} did not answer as it should:\n${output}`);
  }
  const [, value, unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const milliseconds: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000 };
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p99: Number(value) * (milliseconds[unit] ?? Number.NaN),
  };
}

/** Alternates between two servers, to measure both on the same machine state; returns the medians. */
export async function inTurns(
  ours: string,
  theirs: string,
  connections: number,
): Promise<[number, number]> {
  const rounds: [number, number][] = [];
  for (const url of [ours, theirs]) await requestsPerSecond(url, connections, 2);
  for (let round = 0; round < 3; round += 1) {
    rounds.push([
      await requestsPerSecond(ours, connections, 4),
      await requestsPerSecond(theirs, connections, 4),
    ]);
  }
  return [median(rounds.map(([first]) => first)), median(rounds.map(([, second]) => second))];
}

export const median = (values: readonly number[]): number => percentile(values, 50);

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
  );
}

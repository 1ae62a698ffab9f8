import { execFileSync } from 'node:child_process';

/** Whether a program is there to be run. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Requests a second that the server at `url` answers to wrk, one thread. */
export function requestsPerSecond(url: string, connections: number, seconds: number): number {
  const output = execFileSync(
    'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '-H', 'Accept-Encoding: gzip', url],
    { encoding: 'utf8' },
  );
  if (/Non-2xx/.test(output)) throw new Error(`${url} did not answer 200:\n${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

/** Measures two servers in turns, so that both meet the same machine; gives each one's median. */
export function inTurns(ours: string, theirs: string, connections: number): [number, number] {
  const rounds: [number, number][] = [];
  for (const url of [ours, theirs]) requestsPerSecond(url, connections, 2);
  for (let round = 0; round < 3; round += 1) {
    rounds.push([
      requestsPerSecond(ours, connections, 4),
      requestsPerSecond(theirs, connections, 4),
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

import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../support/percentile.ts';

export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const requestsPerSecond = async (
  url: string,
  connections: number,
  seconds: number,
): Promise<number> => (await wrk(url, connections, seconds)).requestsPerSecond;

/**
 * Loads the server at `url` with wrk, one thread.
 * @param script in Lua, for requests other than GET
 * @returns `p99` in milliseconds
 * @throws for responses other than 2xx and 3xx, unless `mayRefuse`
 */
export async function wrk(
  url: string,
  connections: number,
  seconds: number,
  script?: string,
  { mayRefuse = false } = {},
): Promise<{ requestsPerSecond: number; refusedPerSecond: number; p99: number }> {
  // Asynchronous, because this process must keep reading the server's log.
  const { stdout: output } = await promisify(execFile)('wrk', [
    ...['-t1', `-c${connections}`, `-d${seconds}s`, '--latency'],
    ...(script === undefined ? ['-H', 'Accept-Encoding: gzip'] : ['-s', script]),
    url,
  ]);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  if (refused > 0 && !mayRefuse) {
    throw new Error(`${url} sent unexpected responses:\n${output}`);
  }
  const [, value, unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const milliseconds: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000 };
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    refusedPerSecond: refused / seconds,
    p99: Number(value) * (milliseconds[unit] ?? Number.NaN),
  };
}

/** Median requests per second, measured in turn so that all servers meet the same conditions. */
export async function inTurns(urls: readonly string[], connections: number): Promise<number[]> {
  const rates = urls.map((): number[] => []);
  for (const url of urls) await requestsPerSecond(url, connections, 2);
  for (let round = 0; round < 3; round += 1) {
    for (const [n, url] of urls.entries()) {
      rates[n]?.push(await requestsPerSecond(url, connections, 4));
    }
  }
  return rates.map(median);
}

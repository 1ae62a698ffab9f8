import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The commands of the built server. */
export const program = fileURLToPath(new URL('../../apps/api/dist/cli.js', import.meta.url));

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

interface Options {
  /** Of Node. */
  node?: string[];
  /** Besides DATA_DIR. */
  env?: Record<string, string>;
}

/** @returns standard output. @throws if the command fails */
export const runCli = (dataDir: string, ...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args], {
    env: { DATA_DIR: dataDir },
    encoding: 'utf8',
  });

/** Retries take hours; the owner starts them at once. */
export const resendQueued = (dataDir: string): string =>
  runCli(dataDir, 'outbox', 'resend', '--queued');

/** Runs a command and waits for its end, failed or not. */
export async function cli(
  dataDir: string,
  args: string[],
  { node = [], env = {} }: Options = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...node, program, ...args], {
    env: { DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, out, err };
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../apps/api/dist/cli.js', import.meta.url));

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

interface Options {
  node?: string[];
  /** In addition to DATA_DIR. */
  env?: Record<string, string>;
  /** Nothing reads output and progress, as with `2>&1 | true`. */
  isUnread?: boolean;
}

/** @returns standard output. @throws if the command fails */
export const runCli = (dataDir: string, ...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args], {
    env: { DATA_DIR: dataDir },
    encoding: 'utf8',
  });

/** Retries queued emails now, as an owner can. Without it, they wait for hours. */
export const resendQueued = (dataDir: string): string =>
  runCli(dataDir, 'outbox', 'resend', '--queued');

/** Does not throw if the command fails. */
export async function cli(
  dataDir: string,
  args: string[],
  { node = [], env = {}, isUnread = false }: Options = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...node, program, ...args], {
    env: { DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (isUnread) for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const [out, err, [code, signal]] = await Promise.all([
    isUnread ? '' : text(child.stdout),
    isUnread ? '' : text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, out, err };
}

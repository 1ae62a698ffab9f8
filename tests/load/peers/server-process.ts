import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

export interface ServerProcess extends AsyncDisposable {
  /** With its version. */
  name: string;
  url: string;
  /** The current memory of its first process, in MB (Linux). */
  memory(): number;
  stop(): Promise<void>;
}

interface Command {
  name: string;
  command: string;
  args: readonly string[];
  url: string;
  cwd?: string;
  env?: Record<string, string>;
  /** Default: 30. */
  seconds?: number;
}

/**
 * Starts a server and waits until it responds.
 * @throws if it exits, or does not respond in time
 */
export async function startServer(given: Command): Promise<ServerProcess> {
  const { name, command, args, url, cwd, env, seconds = 30 } = given;
  const child = spawn(command, args, {
    ...(cwd && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let problem: Error | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2_000);
    });
  }
  child.on('error', (error) => {
    problem = error;
  });
  const isRunning = () => !problem && child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    if (!isRunning()) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const late = performance.now() + seconds * 1_000;
  while (!(await answers(url))) {
    if (isRunning() && performance.now() < late) {
      await setTimeout(5);
      continue;
    }
    const end = isRunning() ? `it did not respond within ${seconds} seconds` : 'it exited';
    await stop();
    throw new Error(`${problem?.message ?? end} ${output}`.trim());
  }
  const memory = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
  };
  return { name, url, memory, stop, [Symbol.asyncDispose]: stop };
}

/** False on errors, because a server can respond with 503 while it starts. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual' });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    return false;
  }
}

/** @throws if the program is not installed */
export function versionOf(command: string, ...args: string[]): string {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw new Error(`${command} is not installed`);
  return /\d+\.\d+[\d.]*/.exec(stdout + stderr)?.[0] ?? 'of unknown version';
}

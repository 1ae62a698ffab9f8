import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const mainFile = fileURLToPath(new URL('../../apps/api/src/main.ts', import.meta.url));

type LogLine = Record<string, unknown> & { msg: string };

/** The real server in a process of its own, as `npm start` runs it. */
export class SiteProcess {
  readonly url: string;
  readonly log: LogLine[] = [];
  /** From the start of the process to ready, in milliseconds. */
  readonly readyAfter: number;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess, log: LogLine[], readyAfter: number) {
    this.url = url;
    this.#child = child;
    this.log = log;
    this.readyAfter = readyAfter;
  }

  static async start(dataDir: string): Promise<SiteProcess> {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const began = performance.now();
    const child = spawn(process.execPath, [mainFile], {
      env: { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const log: LogLine[] = [];
    const { promise: ready, resolve, reject } = Promise.withResolvers<number>();
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as LogLine;
      log.push(line);
      if (line.msg.startsWith('ready')) resolve(performance.now() - began);
    });
    return new SiteProcess(url, child, log, await ready);
  }

  /** Memory that the process holds now, and the most it ever held, in MB (Linux). */
  memory(): { now: number; peak: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const megabytes = (name: string): number =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

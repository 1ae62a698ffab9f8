import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serverArguments } from '@app/tasks/server';

/** Holds the socket and starts the server with it, again after each exit code 0. Fails as it does. */
const supervisor = 'while :; do sh -c \'LISTEN_PID=$$ exec "$@"\' sh "$@" || exit; done';

interface Options {
  dataDir: string;
  /** On 127.0.0.1. */
  port: number;
  env?: Record<string, string>;
}

/** A server whose port stays open while it restarts, like that of systemd's site.socket. */
export class ActivatedSite implements AsyncDisposable {
  readonly #shell: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #starts = 0;
  #noticeStart: () => void = () => undefined;

  private constructor(shell: ChildProcess) {
    this.#shell = shell;
    this.#ended = once(shell, 'exit');
    if (!shell.stdout) throw new Error('no output');
    createInterface({ input: shell.stdout }).on('line', (line) => {
      if (!line.includes('"ready on ')) return;
      this.#starts += 1;
      this.#noticeStart();
    });
  }

  /** Resolves when the server is ready. */
  static async start({ dataDir, port, env = {} }: Options): Promise<ActivatedSite> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const shell = spawn('sh', ['-c', supervisor, 'sh', process.execPath, ...serverArguments], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { LISTEN_FDS: '1', PATH: '/usr/bin:/bin', DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'inherit', descriptorOf(server)],
      detached: true,
    });
    server.close();
    const site = new ActivatedSite(shell);
    await site.#started(1);
    return site;
  }

  async #started(times: number): Promise<void> {
    const ended = this.#ended.then(([code]) => {
      throw new Error(`the server ended with ${code}`);
    });
    ended.catch(() => undefined);
    while (this.#starts < times) {
      const started = new Promise<void>((resolve) => {
        this.#noticeStart = resolve;
      });
      await Promise.race([started, ended]);
    }
  }

  get #server(): number {
    const { pid } = this.#shell;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
  }

  /** Stops the server, and resolves when the next one is ready. */
  async restart(): Promise<void> {
    const next = this.#starts + 1;
    process.kill(this.#server, 'SIGTERM');
    await this.#started(next);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#shell.exitCode === null) process.kill(-(this.#shell.pid ?? Number.NaN), 'SIGKILL');
    await this.#ended;
  }
}

/** A private property: Node's public API passes listening sockets only to other Node processes. */
const descriptorOf = (server: Server): number =>
  (server as unknown as { _handle: { fd: number } })._handle.fd;

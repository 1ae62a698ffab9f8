import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '@app/db/testing/free-port';
import { serverArguments } from '@app/tasks/server';
import { SiteProcess } from './site-process.ts';

const script = fileURLToPath(new URL('../../docs/deploy/site-release', import.meta.url));

/** A "build" copies the folder that the commit names. */
const build = `import { cpSync, existsSync, readFileSync } from 'node:fs';
const options = { recursive: true, verbatimSymlinks: true };
if (!existsSync('apps')) cpSync(readFileSync('built', 'utf8'), '.', options);
`;

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * A folder that stands in for a machine as docs/deploy.md sets it up: the source, the releases, and
 * a `systemctl` that asks this process. Unlike systemd, it does not restart a server that fails.
 */
export class ReleaseMachine implements AsyncDisposable {
  readonly dataDir: string;
  readonly restarted: string[] = [];
  hasService = false;
  site: SiteProcess | null = null;
  readonly #folder: string;
  readonly #port: number;
  readonly #systemd: Server;
  #state: 'active' | 'inactive' | 'failed' = 'inactive';

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.dataDir = join(folder, 'data');
    this.#systemd = createServer((request, response) => {
      this.#answer(request).then(
        (output) => response.writeHead(output === null ? 400 : 200).end(output),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  }

  /** @param folder an empty one */
  static async create(folder: string): Promise<ReleaseMachine> {
    const machine = new ReleaseMachine(folder, await freePort());
    machine.#systemd.listen(0, '127.0.0.1');
    await once(machine.#systemd, 'listening');
    machine.#addPrograms();
    mkdirSync(join(machine.root, 'releases'), { recursive: true });
    machine.#git('init', '--quiet', '--initial-branch=main', machine.#origin);
    machine.commit('');
    machine.#git('clone', '--quiet', machine.#origin, join(machine.root, 'source'));
    return machine;
  }

  /** The folder of the code, like /opt/site. */
  get root(): string {
    return join(this.#folder, 'root');
  }

  get #origin(): string {
    return join(this.#folder, 'origin');
  }

  get current(): string {
    return readlinkSync(join(this.root, 'current')).replace('releases/', '');
  }

  /**
   * Commits a version to the main branch of the repository.
   * @param built the folder with its built program; if it is missing, the build fails
   * @returns the commit, as `site-release` names it
   */
  commit(built: string): string {
    const tasks = join(this.#origin, 'packages/tasks');
    mkdirSync(tasks, { recursive: true });
    writeFileSync(join(tasks, 'build.mjs'), build);
    writeFileSync(join(this.#origin, 'built'), built);
    this.#git('-C', this.#origin, 'add', '.');
    const author = ['-c', 'user.name=Owner', '-c', 'user.email=owner@example.com'];
    this.#git(...author, '-C', this.#origin, 'commit', '--quiet', '-m', 'A version');
    return this.#git('-C', this.#origin, 'rev-parse', '--short=10', 'HEAD').trim();
  }

  /** Tags the newest commit of the main branch, and moves the tag if it exists. */
  tag(name: string): void {
    this.#git('-C', this.#origin, 'tag', '--force', name);
  }

  removeOrigin(): void {
    rmSync(this.#origin, { recursive: true });
  }

  /** Runs `site-release`. @param sleep how many seconds its pauses of one second take */
  release(version?: string, sleep = 1): Promise<Run> {
    const env = {
      PATH: `${join(this.#folder, 'bin')}:${process.env['PATH']}`,
      SITE_ROOT: this.root,
      SYSTEMD: `http://127.0.0.1:${(this.#systemd.address() as AddressInfo).port}`,
      SLEEP: String(sleep),
    };
    return run('sh', [script, ...(version ? [version] : [])], env);
  }

  /** Runs `site`, which is the command line of the current release. */
  cli(...args: string[]): Promise<Run> {
    const program = join(realpathSync(join(this.root, 'current')), 'apps/api/dist/cli.js');
    return run(process.execPath, [program, ...args], { DATA_DIR: this.dataDir });
  }

  async stop(): Promise<void> {
    await this.site?.stop();
    this.#state = 'inactive';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site?.[Symbol.asyncDispose]();
    this.#systemd.closeAllConnections();
    this.#systemd.close();
    await once(this.#systemd, 'close');
  }

  #addPrograms(): void {
    const bin = join(this.#folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const programs = {
      sudo: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
      systemctl: 'exec curl --fail --silent --data "$*" "$SYSTEMD"',
      sleep: 'exec /bin/sleep "$SLEEP"',
    };
    for (const [name, lines] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    }
  }

  #git(...args: string[]): string {
    return execFileSync('git', args, { encoding: 'utf8' });
  }

  /** @returns what `systemctl` prints, or null if it fails */
  async #answer(request: IncomingMessage): Promise<string | null> {
    const command = await text(request);
    switch (command) {
      case 'cat site.service':
        return this.hasService ? '' : null;
      case 'reset-failed site.socket site':
      case 'try-restart site-backup':
        this.restarted.push(...(command.startsWith('try') ? ['site-backup'] : []));
        return '';
      case 'restart site':
        await this.#restart();
        return '';
      case 'show --property=Listen --value site.socket':
        return `127.0.0.1:${this.#port} (Stream)\n`;
      case 'is-active --quiet site':
        return this.#state === 'active' ? '' : null;
      case 'is-failed site':
        return `${this.#state}\n`;
      default:
        throw new Error(`unexpected: systemctl ${command}`);
    }
  }

  async #restart(): Promise<void> {
    this.restarted.push('site');
    await this.site?.stop();
    const workspace = realpathSync(join(this.root, 'current'));
    const site = await SiteProcess.launch({ dataDir: this.dataDir, port: this.#port, workspace });
    this.site = site;
    this.#state = 'active';
    void site.ended.then(({ code }) => {
      if (this.site === site) this.#state = code === 0 ? 'inactive' : 'failed';
    });
  }
}

/** Writes a program that is started like the server. */
export function makeProgram(folder: string, source: string): string {
  const main = join(folder, serverArguments.at(-1) ?? '');
  mkdirSync(join(main, '..'), { recursive: true });
  writeFileSync(main, source);
  return folder;
}

const run = (program: string, args: string[], env: Record<string, string>): Promise<Run> =>
  new Promise((resolve) => {
    execFile(program, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

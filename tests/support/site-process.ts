import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@app/db/child-environment';
import { freePort } from '@app/db/testing/free-port';
import { serverArguments } from '@app/tasks/server';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface LogLine {
  level: string;
  msg: string;
  [detail: string]: unknown;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

interface Options {
  dataDir: string;
  /** Default: a free port. `start` prefers the port of the published site. */
  port?: number;
  env?: Record<string, string>;
  options?: string[];
  nodeOptions?: string[];
  workspace?: string;
}

export class SiteProcess implements AsyncDisposable {
  /** By data folder: pages contain their URL, so on another port all of them are rendered again. */
  static readonly #ports = new Map<string, number>();

  readonly port: number;
  readonly url: string;
  /** PUBLIC_URL. */
  readonly origin: string;
  readonly dataDir: string;
  /** Rejects if the process ends before it is ready. */
  readonly ready: Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  /** Raw, because parsing thousands of lines per second would slow down load tests. */
  readonly #lines: string[] = [];
  readonly #listeners = new Set<(line: LogLine) => void>();

  private constructor(given: Options) {
    const { dataDir, port = 0, env = {}, options = [], nodeOptions = [], workspace = root } = given;
    this.port = port;
    this.url = `http://localhost:${port}`;
    this.origin = env['PUBLIC_URL'] ?? this.url;
    this.dataDir = dataDir;
    this.#child = spawn(process.execPath, [...nodeOptions, ...serverArguments, ...options], {
      cwd: workspace,
      env: { PORT: String(port), DATA_DIR: resolve(dataDir), ...childEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    createInterface({ input: this.#child.stdout }).on('line', (text) => {
      this.#lines.push(text);
      for (const listener of this.#listeners) listener(parse(text));
    });
    // 'close' follows 'exit' once all output has been read.
    this.ended = once(this.#child, 'close').then(([code, signal]) => ({ code, signal, stderr }));
    this.ready = Promise.race([
      this.ended.then(({ code, stderr: output }) => {
        throw new Error(`the server ended with ${code}: ${output}`);
      }),
      this.logged('ready on').then(() => undefined),
    ]);
    // Tests of failing starts wait only for `ended`.
    this.ready.catch(() => undefined);
  }

  static async launch(options: Options): Promise<SiteProcess> {
    return new SiteProcess({ port: await freePort(), ...options });
  }

  /** Starts with published pages: from a copy if the folder is empty, else from its last start. */
  static async start(options: Options): Promise<SiteProcess> {
    const published = await copyPublishedSite(options.dataDir);
    const last = SiteProcess.#ports.get(options.dataDir) ?? published?.port;
    const port = options.port ?? (await freePort(last));
    const site = await SiteProcess.launch({ ...options, port });
    SiteProcess.#ports.set(options.dataDir, port);
    await site.ready;
    if (published?.isCopied && port !== published.port) await site.logged('republished all pages');
    return site;
  }

  get log(): LogLine[] {
    return this.#lines.map(parse);
  }

  /** Resolves once a message with this prefix is logged. Rejects if the process ends without one. */
  logged(message: string): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const isIt = ({ msg }: LogLine) => msg.startsWith(message);
      const known = this.log.find(isIt);
      if (known) return resolve(known);
      const look = (line: LogLine) => {
        if (!isIt(line)) return;
        this.#listeners.delete(look);
        resolve(line);
      };
      this.#listeners.add(look);
      void this.ended.then(() =>
        reject(new Error(`the server ended without logging "${message}"`)),
      );
    });
  }

  /** Current and peak memory in MB (Linux). */
  memory(): { now: number; peak: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const megabytes = (name: string): number =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  stop(): Promise<Ended> {
    this.signal('SIGTERM');
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }
}

/** The folder that the global setup of test runners makes. */
const testSites = () => process.env['TEST_SITES'];

/**
 * Fills a missing or empty folder with the site of this test worker. Only the worker's first call
 * publishes it, because rendering all pages takes seconds of CPU. Null outside of test runners.
 */
export async function copyPublishedSite(
  dataDir: string,
): Promise<{ port: number; isCopied: boolean } | null> {
  const sites = testSites();
  if (!sites) return null;
  const { TEST_PARALLEL_INDEX, VITEST_POOL_ID } = process.env;
  const folder = join(sites, 'published', TEST_PARALLEL_INDEX ?? VITEST_POOL_ID ?? '0');
  const published = join(folder, 'data');
  const portFile = join(folder, 'port');
  if (!existsSync(portFile)) {
    rmSync(folder, { recursive: true, force: true });
    const site = await SiteProcess.launch({ dataDir: published });
    await site.ready;
    await cardsRendered(published);
    await site.stop();
    writeFileSync(portFile, String(site.port));
  }
  const isCopied = !existsSync(dataDir) || readdirSync(dataDir).length === 0;
  if (isCopied) copySite(published, dataDir);
  return { port: Number(readFileSync(portFile, 'utf8')), isCopied };
}

/** Copies the data of a server that has stopped. */
export const copySite = (from: string, to: string): void =>
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith('server.lock'),
  });

/**
 * Fills an empty folder like `start`.
 * @returns the port on which no page is rendered again, unless it is in use
 */
export async function publishedPort(dataDir: string): Promise<number> {
  return freePort((await copyPublishedSite(dataDir))?.port);
}

/**
 * Fills an empty folder with a published site whose server has stopped.
 * @returns the port on which no page is rendered again, unless it is in use
 */
export async function stoppedSite(dataDir: string): Promise<number> {
  if (testSites()) return publishedPort(dataDir);
  await using site = await SiteProcess.start({ dataDir });
  await site.stop();
  return site.port;
}

/** Waits for cards, which are rendered in the background: each start on a copy would render them. */
export async function cardsRendered(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'site');
  const cards = globSync('**/*.html', { cwd: folder }).flatMap(
    (file) =>
      readFileSync(join(folder, file), 'utf8').match(/\/cards\/(?:[\w.-]+\/)?[\da-f]+\.png/g) ?? [],
  );
  while (!cards.every((card) => existsSync(join(folder, card)))) await setTimeout(50);
}

export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(testSites() ?? tmpdir(), 'site-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const parse = (text: string): LogLine => JSON.parse(text) as LogLine;

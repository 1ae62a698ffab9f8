import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { SiteProcess } from '../../support/site-process.ts';
import type { Findings } from '../fault.ts';

/** Errors that are logged while the database server is down. */
const expectedErrors = ['degraded', 'the database server cannot be used'];

export class Server {
  readonly options: { dataDir: string; port: number; env: Record<string, string> };
  readonly #findings: Findings;
  /** Null while it is down. */
  #site: SiteProcess | null = null;

  constructor(options: Server['options'], findings: Findings) {
    this.options = options;
    this.#findings = findings;
  }

  /** @throws while it is down */
  get site(): SiteProcess {
    if (!this.#site) throw new Error('the server is down');
    return this.#site;
  }

  get isDown(): boolean {
    return this.#site === null;
  }

  /** Resolves when the server is ready or has been killed. */
  async start(): Promise<void> {
    const site = await SiteProcess.launch(this.options);
    this.#site = site;
    try {
      await site.ready;
    } catch {
      const { code, signal, stderr } = await site.ended;
      if (signal !== 'SIGKILL') this.#findings.breaks(`a start ended with ${code}: ${stderr}`);
    }
  }

  /** Kills the server and starts it again. @param milliseconds between the two */
  async kill(milliseconds: number): Promise<void> {
    const { site } = this;
    this.#site = null;
    site.signal('SIGKILL');
    const { signal, code, stderr } = await site.ended;
    if (signal !== 'SIGKILL') this.#findings.breaks(`a server ended with ${code}: ${stderr}`);
    else if (stderr !== '') this.#findings.breaks(`a server wrote to standard error: ${stderr}`);
    this.#checkLog(site);
    await pause(milliseconds);
    await this.start();
  }

  /** Stops the server gracefully, and starts one with an empty folder. */
  async replace(): Promise<void> {
    await this.stop();
    rmSync(this.options.dataDir, { recursive: true });
    await this.start();
  }

  async stop(): Promise<void> {
    const { site } = this;
    this.#site = null;
    await site.ready;
    const { code, stderr } = await site.stop();
    if (code !== 0 || stderr !== '') this.#findings.breaks(`a stop ended with ${code}: ${stderr}`);
    this.#checkLog(site);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#site?.[Symbol.asyncDispose]();
  }

  #checkLog({ log }: SiteProcess): void {
    for (const { level, msg, err } of log) {
      if (level !== 'error' || expectedErrors.includes(msg)) continue;
      this.#findings.breaks(`logged as an error: ${msg} ${JSON.stringify(err)}`);
    }
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@app/db/testing/free-port';

const program = '/usr/bin/caddy';

export const whyNoCaddy = existsSync(program)
  ? undefined
  : `${program} is missing; Debian has it as the package caddy`;

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Without Content-Length. */
  isChunked?: boolean;
  /** The client's IP address, in 127.0.0.0/8. */
  from?: string;
  agent?: Agent;
}

interface Listening {
  https: number;
  http: number;
  upstreams: readonly string[];
}

/** Runs Caddy with docs/deploy/Caddyfile and a certificate from its local authority. */
export class Caddy implements AsyncDisposable {
  readonly url: string;
  /** Redirects to https. */
  readonly httpPort: number;
  readonly #child: ReturnType<typeof spawn>;
  readonly #folder: string;
  #log = '';

  private constructor(folder: string, { https, http, upstreams }: Listening) {
    this.url = `https://localhost:${https}`;
    this.httpPort = http;
    this.#folder = folder;
    const options = `admin off\nhttp_port ${http}\nhttps_port ${https}\nskip_install_trust`;
    const config = fileURLToPath(new URL('../../docs/deploy/Caddyfile', import.meta.url));
    this.#child = spawn(program, ['run', '--config', config, '--adapter', 'caddyfile'], {
      env: {
        SITE_ADDRESS: `localhost:${https}`,
        SITE_UPSTREAM: upstreams.join(' '),
        ...(upstreams.length > 1 && { SITE_HEALTH_CHECK: 'health_uri /api/health' }),
        CADDY_GLOBAL_OPTIONS: options,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
  }

  /**
   * Resolves when Caddy has a certificate and listens.
   * @param folder for its certificates
   * @param upstreams host and port of each server
   */
  static async start(folder: string, ...upstreams: string[]): Promise<Caddy> {
    const ports = { https: await freePort(), http: await freePort() };
    const caddy = new Caddy(folder, { ...ports, upstreams });
    while (!existsSync(caddy.#authority) || !caddy.#log.includes('certificate obtained')) {
      if (caddy.#child.exitCode !== null) throw new Error(`Caddy ended: ${caddy.#log}`);
      await setTimeout(20);
    }
    return caddy;
  }

  get #authority(): string {
    return join(this.#folder, 'caddy/pki/authorities/local/root.crt');
  }

  /** An agent with one connection, which stays open. */
  agent = (): Agent => new Agent({ keepAlive: true, maxSockets: 1, ca: this.#ca });

  get #ca(): Buffer {
    return readFileSync(this.#authority);
  }

  /** Sends a request over a new connection, unless there is an agent. */
  async ask(path: string, sent: Sent = {}): Promise<Reply> {
    const { method = 'GET', headers = {}, body, isChunked = false, from, agent = false } = sent;
    const length = body && !isChunked && { 'Content-Length': String(body.length) };
    const outgoing = request(new URL(path, this.url), {
      method,
      agent,
      ca: this.#ca,
      headers: { ...headers, ...length },
      ...(from && { localAddress: from, family: 4 }),
    });
    // A server that refuses a body can close the connection before it has read all of it.
    const failed = once(outgoing, 'error').then(([error]) => {
      throw error;
    });
    if (isChunked) outgoing.flushHeaders();
    outgoing.end(body);
    const [response] = (await Promise.race([once(outgoing, 'response'), failed])) as [
      IncomingMessage,
    ];
    failed.catch(() => undefined);
    const { statusCode = 0, headers: received } = response;
    return { status: statusCode, headers: received, body: await buffer(response) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

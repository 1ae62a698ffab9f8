import type { Agent } from 'node:https';
import type { Caddy } from '../../support/caddy.ts';

interface Options {
  /** The client's IP address, in 127.0.0.0/8. Caddy chooses the server by it. */
  from: string;
  /** The value of the cookie. */
  session?: string;
}

export type Request = () => Promise<Response>;

/** Returns null if the connection broke. */
export async function replyTo(request: Request): Promise<Response | null> {
  try {
    return await request();
  } catch (error) {
    if (isConnectionError(error)) return null;
    throw error;
  }
}

/** Errors of the connection, before or within a response. */
const isConnectionError = (error: unknown): boolean =>
  /^(?:ECONN|EPIPE|ERR_STREAM_PREMATURE_CLOSE)/.test((error as { code?: string }).code ?? '');

/** Acts like a browser: one connection to Caddy, with Origin and session cookie. */
export class Client implements Disposable {
  readonly #caddy: Caddy;
  readonly #agent: Agent;
  readonly from: string;
  readonly #cookie: Record<string, string>;

  constructor(caddy: Caddy, { from, session }: Options) {
    this.#caddy = caddy;
    this.#agent = caddy.agent();
    this.from = from;
    this.#cookie = session === undefined ? {} : { Cookie: `__Host-session=${session}` };
  }

  get(path: string): Promise<Response> {
    return this.#ask('GET', path, {}, undefined);
  }

  call(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const own = { 'Content-Type': 'application/json', Origin: this.#caddy.url, ...headers };
    return this.#ask(method, path, own, JSON.stringify(body));
  }

  /** @throws if the connection breaks, even within the response */
  async #ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<Response> {
    const reply = await this.#caddy.ask(path, {
      ...{ method, headers: { ...headers, ...this.#cookie } },
      ...{ agent: this.#agent, from: this.from },
      ...(body !== undefined && { body }),
    });
    const received = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) {
      for (const each of [value ?? []].flat()) received.append(name, each);
    }
    return new Response(new Uint8Array(reply.body), { status: reply.status, headers: received });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

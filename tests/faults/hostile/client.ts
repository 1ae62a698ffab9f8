import { Agent, type ClientRequest, request as startRequest } from 'node:http';
import { text } from 'node:stream/consumers';

/** `status` is 0 if the connection was closed. */
export interface Reply {
  status: number;
  text: string;
  cookies: string[];
}

export interface RequestOptions {
  session?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The client's IP address; by default a random one of a test network (RFC 5737). */
  from?: string;
}

const testNetworks = ['192.0.2', '198.51.100', '203.0.113'];

const randomOf = (count: number): number => Math.floor(Math.random() * count);

export const randomAddress = (): string =>
  `${testNetworks[randomOf(testNetworks.length)]}.${1 + randomOf(254)}`;

/** Sends requests like a browser behind a proxy: with Origin, from any IP address. */
export class Client {
  readonly url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url: string) {
    this.url = url;
  }

  /** Starts a request whose body the caller sends. */
  begin(method: string, path: string, call: RequestOptions, length: number) {
    const { hostname, port } = new URL(this.url);
    const request = startRequest({
      hostname,
      port,
      method,
      path,
      agent: this.#agent,
      headers: {
        Origin: this.url,
        'X-Forwarded-For': call.from ?? randomAddress(),
        ...(length > 0 && { 'Content-Type': 'application/json', 'Content-Length': length }),
        ...(call.session !== undefined && { Cookie: `session=${call.session}` }),
        ...call.headers,
      },
    });
    return { request, answer: answerOf(request) };
  }

  call(method: string, path: string, call: RequestOptions = {}): Promise<Reply> {
    const { body } = call;
    const bytes =
      body instanceof Uint8Array
        ? body
        : Buffer.from(
            body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
          );
    const { request, answer } = this.begin(method, path, call, bytes.length);
    request.end(bytes.length > 0 ? bytes : undefined);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function answerOf(request: ClientRequest): Promise<Reply> {
  return new Promise((resolve) => {
    const closed = { status: 0, text: '', cookies: [] };
    request.on('error', () => resolve(closed));
    request.on('response', (response) => {
      text(response).then(
        (body) =>
          resolve({
            status: response.statusCode ?? 0,
            text: body,
            cookies: response.headers['set-cookie'] ?? [],
          }),
        () => resolve(closed),
      );
    });
  });
}

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to Resend (resend.com/docs/api-reference/emails/send-email). */
export interface Delivery {
  key: string;
  to: string;
  reply_to?: string;
  subject: string;
  text: string;
}

export type Behavior =
  | 'takes it'
  /** 500, and the email is not accepted. */
  | 'fails'
  /** The connection breaks before the email is accepted. */
  | 'breaks off'
  /** The email is accepted, and the connection breaks before the response. */
  | 'takes it and breaks off'
  /** No response; the email is accepted after the client's timeout. */
  | 'takes it late'
  /** 429 with Retry-After: 1. */
  | 'asks for a rest';

/**
 * A local Resend. It delivers one email per idempotency key, and repeats its first response to the
 * same request (resend.com/docs/dashboard/emails/idempotency-keys).
 */
export class EmailProvider implements AsyncDisposable {
  readonly delivered: Delivery[] = [];
  readonly counts = new Map<Behavior, number>();
  /** Requests with a known key, which deliver nothing. */
  repeated = 0;
  behave: () => Behavior = () => 'takes it';
  notice: () => void = () => undefined;
  readonly #answers = new Map<string, { bodyHash: string; id: string }>();
  readonly #underway = new Set<string>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** @param port by default a free one */
  static async start(port = 0): Promise<EmailProvider> {
    const provider = new EmailProvider();
    provider.#server.listen(port, '127.0.0.1');
    await once(provider.#server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The client was killed.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const key = String(request.headers['idempotency-key']);
    const bodyHash = createHash('sha256').update(body).digest('hex');
    this.notice();
    response.on('finish', () => this.notice());

    const known = this.#answers.get(key);
    if (known && known.bodyHash !== bodyHash) {
      return reply(response, 409, problem(409, 'invalid_idempotent_request'));
    }
    if (known) {
      this.repeated += 1;
      return reply(response, 200, { id: known.id });
    }
    if (this.#underway.has(key)) {
      return reply(response, 409, problem(409, 'concurrent_idempotent_requests'));
    }

    const take = (): string => {
      const id = `provider-${this.delivered.length}`;
      this.#answers.set(key, { bodyHash, id });
      this.delivered.push({ ...(JSON.parse(body) as Omit<Delivery, 'key'>), key });
      return id;
    };
    const behavior = this.behave();
    this.counts.set(behavior, (this.counts.get(behavior) ?? 0) + 1);
    switch (behavior) {
      case 'takes it':
        return reply(response, 200, { id: take() });
      case 'fails':
        return reply(response, 500, problem(500, 'internal_server_error'));
      case 'breaks off':
        request.socket.destroy();
        return;
      case 'takes it and breaks off':
        take();
        request.socket.destroy();
        return;
      case 'takes it late':
        this.#underway.add(key);
        request.socket.once('close', () => {
          this.#underway.delete(key);
          take();
        });
        return;
      case 'asks for a rest':
        response.setHeader('Retry-After', '1');
        return reply(response, 429, problem(429, 'rate_limit_exceeded'));
    }
  }
}

const problem = (statusCode: number, name: string) => ({ statusCode, name, message: name });

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

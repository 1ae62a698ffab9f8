import { setTimeout as pause } from 'node:timers/promises';
import { Author } from '../authors.ts';
import { formRequest, isRepeatable, type Visit } from '../visitors.ts';
import { Client, replyTo } from './client.ts';
import { password } from './deployment.ts';
import { type Load, maxLag } from './load.ts';

/** Between two requests, in milliseconds. */
const visitorPause = 300;
const signInPause = 700;
const authorPause = 300;
/** Like browsers: see `retry.ts` of the forms. */
const repeatPause = 1_000;

/** Names of counts. */
const written = {
  forms: 'forms acknowledged',
  signIns: 'sign-ins acknowledged',
  posts: 'changes of posts acknowledged',
};
export const acknowledged: readonly string[] = Object.values(written);

const sessionOf = (response: Response): string =>
  /__Host-session=([^;]+)/.exec(response.headers.getSetCookie().join('\n'))?.[1] ?? '';

/** Everything that is acknowledged to writers must be stored at the end. */
export class Writers {
  readonly #load: Load;

  constructor(load: Load) {
    this.#load = load;
  }

  async visit(): Promise<void> {
    while (!this.#load.isOver()) {
      await this.#submit(this.#load.visitors.next());
      await pause(visitorPause);
    }
  }

  /** Retries with the same key until the message is stored, like the site's forms. */
  async #submit(visit: Visit): Promise<void> {
    using client = this.#load.client();
    const { path, body, headers } = formRequest(visit);
    for (;;) {
      const response = await replyTo(() => client.call('POST', path, body, headers));
      if (response?.ok) {
        this.#load.visitors.acknowledged.push(visit);
        this.#load.findings.count(written.forms);
        return;
      }
      await this.#noteFailure('forms', response);
      if (!isRepeatable(visit) || this.#load.isOver()) return;
      await pause(repeatPause);
    }
  }

  /** Only 502 and 503 are acceptable, because they ask to try again. */
  async #noteFailure(what: string, response: Response | null): Promise<void> {
    if (!response) this.#load.findings.count(`${what} cut off`);
    else if (response.status === 502 || response.status === 503) {
      this.#load.findings.count(`${what} answered with ${response.status}`);
    } else {
      this.#load.findings.breaks(`${what}: ${response.status} ${await response.text()}`);
    }
  }

  async signIn(): Promise<void> {
    const { emails } = this.#load.deployment.accounts;
    for (let n = 0; !this.#load.isOver(); n += 1) {
      using client = this.#load.client();
      const body = { email: emails[n % emails.length], password };
      const response = await replyTo(() => client.call('POST', '/api/auth/sign-in', body));
      if (response?.ok) await this.#expectSession(sessionOf(response), client.from);
      else await this.#noteFailure('sign-ins', response);
      await pause(signInPause);
    }
  }

  async #expectSession(session: string, from: string): Promise<void> {
    this.#load.findings.count(written.signIns);
    using client = new Client(this.#load.deployment.caddy, { from, session });
    const end = performance.now() + maxLag;
    for (let isLate = false; ; isLate = true) {
      const response = await replyTo(() => client.get('/api/profile'));
      if (response?.ok) return;
      if (performance.now() > end) {
        this.#load.findings.breaks(
          `a session was answered with ${response?.status} for ${maxLag} ms`,
        );
        return;
      }
      if (!isLate) this.#load.findings.count('sessions used before the server had them');
      await pause(100);
    }
  }

  async write(session: string, name: string): Promise<void> {
    const author = new Author(name);
    this.#load.authors.push(author);
    using client = this.#load.client(session);
    let isRefused = false;
    const call = async (method: string, path: string, body: unknown): Promise<Response> => {
      const response = await replyTo(() => client.call(method, path, body));
      isRefused = !response?.ok;
      if (isRefused) await this.#noteFailure('changes of posts', response?.clone() ?? null);
      return response ?? Response.error();
    };
    while (!this.#load.isOver()) {
      try {
        await author.act({ call });
        this.#load.findings.count(written.posts);
      } catch (error) {
        if (!isRefused) throw error;
        this.#load.findings.count('changes of posts not acknowledged');
      }
      await pause(authorPause);
    }
  }
}

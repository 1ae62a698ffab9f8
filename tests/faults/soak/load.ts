import { setTimeout as pause } from 'node:timers/promises';
import { png } from '../../support/pictures.ts';
import type { SiteProcess } from '../../support/site-process.ts';
import { Writer } from '../../support/writer.ts';
import type { Findings } from '../fault.ts';
import { Visitors } from '../visitors.ts';

const paths = ['/', '/blog', '/blog/rss.xml', '/contact', '/api/posts', '/api/search?q=phone'];

export const uploadMilliseconds = 5_000;

/** Readers, visitors and authors of a company who work at the same time, without a break. */
export class Load {
  requests = 0;
  readonly visitors = new Visitors();
  readonly #site: SiteProcess;
  readonly #findings: Findings;
  readonly #isOver: () => boolean;

  constructor(site: SiteProcess, findings: Findings, isOver: () => boolean) {
    this.#site = site;
    this.#findings = findings;
    this.#isOver = isOver;
  }

  /** @param sessions of accounts; see `insertSignedInUser`. Two of them are authors. */
  async run(sessions: readonly string[]): Promise<void> {
    const writers = sessions.map((session) => Writer.signedIn(this.#site, session));
    const authors = writers.slice(0, 2);
    await Promise.all([
      this.#read(),
      this.#visit(),
      this.#upload(writers),
      ...authors.map((writer, n) => this.#write(writer, `author ${n + 1}`)),
    ]);
  }

  async #answered(what: string, sent: Promise<Response>, expected = 200): Promise<string> {
    const response = await sent;
    const text = await response.text();
    this.requests += 1;
    this.#findings.count(what);
    const { status } = response;
    if (status !== expected) this.#findings.breaks(`${what} were answered with ${status}: ${text}`);
    return text;
  }

  async #read(): Promise<void> {
    for (let n = 0; !this.#isOver(); n += 1) {
      await this.#answered('reads', fetch(this.#site.url + paths[n % paths.length]));
      await pause(10);
    }
  }

  async #visit(): Promise<void> {
    while (!this.#isOver()) {
      await this.visitors.writeOne(this.#site.url, () => undefined);
      this.requests += 1;
      this.#findings.count('forms');
      await pause(200);
    }
  }

  async #write(writer: Writer, name: string): Promise<void> {
    for (let n = 0; !this.#isOver(); n += 1) {
      const title = `Answering the phone, ${name} ${n}`;
      const text = { title, content: 'The phone rings. '.repeat(200) };
      await this.#answered('previews', writer.call('POST', '/api/posts/preview', text));
      const sent = writer.call('POST', '/api/posts', { ...text, published: true });
      const created = await this.#answered('posts', sent, 201);
      const { post } = JSON.parse(created) as { post: { id: string } };
      const path = `/api/posts/${post.id}`;
      await this.#answered('edits', writer.call('PATCH', path, { content: `Edited ${n}.` }));
      await this.#answered('deletions', writer.call('DELETE', path, {}));
      await pause(300);
    }
  }

  /** Takes turns, because the limit is 30 avatars per hour and account. */
  async #upload(writers: readonly Writer[]): Promise<void> {
    for (let n = 0; !this.#isOver(); n += 1) {
      const image = new Uint8Array(await png(40 + (n % 50)));
      const writer = writers[n % writers.length];
      if (writer) await this.#answered('avatars', writer.upload(image));
      await pause(uploadMilliseconds);
    }
  }
}

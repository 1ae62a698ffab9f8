import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostSaved } from '@app/contract/blog/posts';
import { close, open } from '@app/db/open';
import { readEmails } from '../../support/mailbox.ts';
import { SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import { Writer } from '../../support/writer.ts';
import { fakedClock } from '../faked-clock.ts';
import type { Fault, Findings } from '../fault.ts';

/** The clock changes, in years from now. */
const offsets = [0, 2, 0, -2, 0];

/** The limit of the contact form per IP address. */
const messagesPerHour = 30;
/** In milliseconds. */
const maxWait = 90_000;

export const clock: Fault = {
  name: 'clock',
  about: 'the clock jumps two years ahead and back, then two years into the past and back',
  unit: 'count',
  amount: 3 * offsets.length,
  min: 1,
  async run(changes, findings) {
    for (let left = changes; left > 0; left -= offsets.length) {
      using folder = temporaryFolder();
      const faked = fakedClock(join(folder.path, 'clock'));
      const options = {
        dataDir: join(folder.path, 'data'),
        env: { ...faked.env, TRUST_PROXY: '127.0.0.1,::1' },
      };
      const day = new Day(findings);
      {
        await using site = await SiteProcess.start(options);
        for (const [n, years] of offsets.slice(0, left).entries()) {
          findings.progress(`the clock is ${years} years ahead`);
          await faked.moveTo(years, site.url);
          findings.count('clock changes');
          await day.live(site, `day-${n}`);
        }
        await day.expectAll(site);
        const { code, stderr } = await site.stop();
        if (code !== 0 || stderr !== '')
          findings.breaks(`the server ended with ${code}: ${stderr}`);
        for (const { level, msg, err } of site.log) {
          if (level === 'error') findings.breaks(`logged: ${msg} ${JSON.stringify(err)}`);
        }
      }
      await using site = await SiteProcess.start(options);
      await day.expectAll(site);
      await site.stop();
    }
  },
};

class Day {
  readonly #findings: Findings;
  readonly #messages: string[] = [];
  readonly #slugs: string[] = [];
  readonly #emails: string[] = [];

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  async live(site: SiteProcess, name: string): Promise<void> {
    await this.#useUpLimit(site, name);
    await this.#message(site, `${name}-other`, '192.0.2.77');

    const email = `${name}@example.com`;
    const writer = await Writer.signUp(site, email);
    this.#emails.push(email);
    await this.#publish(writer, name);
    for (const known of this.#emails) {
      const again = await Writer.signIn(site, known);
      if (again) this.#findings.count('sign-ins');
      else this.#findings.breaks(`${known} cannot sign in on ${name}`);
    }
    await this.#schedule(site, writer, `${name}-scheduled`);
    for (const path of ['/', '/blog', '/blog/rss.xml', '/api/posts']) {
      const { status } = await fetch(site.url + path);
      if (status !== 200) this.#findings.breaks(`${path} was answered with ${status} on ${name}`);
    }
    const health = (await (await fetch(`${site.url}/api/health`)).json()) as { status: string };
    if (health.status !== 'ok')
      this.#findings.breaks(`health on ${name}: ${JSON.stringify(health)}`);
  }

  /** Uses up a rate limit, which must not apply after the next clock change. */
  async #useUpLimit(site: SiteProcess, name: string): Promise<void> {
    for (let n = 0; n < messagesPerHour; n += 1) {
      const isFirst = n === 0;
      const status = await this.#message(site, `${name}-${n}`, '192.0.2.9', isFirst);
      if (status !== 201) break;
    }
  }

  async #message(
    site: SiteProcess,
    name: string,
    from: string,
    mustBeTaken = true,
  ): Promise<number> {
    const response = await fetch(`${site.url}/api/contact`, {
      method: 'POST',
      headers: {
        Origin: site.origin,
        'Content-Type': 'application/json',
        'X-Forwarded-For': from,
      },
      body: JSON.stringify({ name, email: 'vera@example.com', message: `Message ${name}` }),
    });
    const { status } = response;
    const text = await response.text();
    if (status === 201) this.#messages.push(name);
    if (status !== 201 && (mustBeTaken || status !== 429)) {
      this.#findings.breaks(`message ${name} was answered with ${status}: ${text}`);
    }
    return status;
  }

  async #publish(writer: Writer, slug: string): Promise<void> {
    const body = { title: slug, slug, content: `The text of ${slug}.`, published: true };
    const response = await writer.call('POST', '/api/posts', body);
    const text = await response.text();
    const state = response.ok ? (JSON.parse(text) as PostSaved).publishing.state : text;
    if (state === 'live') this.#slugs.push(slug);
    else this.#findings.breaks(`${slug} is ${state}`);
  }

  /** Schedules a post shortly ahead of the server's clock, and waits until it is live. */
  async #schedule(site: SiteProcess, writer: Writer, slug: string): Promise<void> {
    const draft = await writer.call('POST', '/api/posts', { title: slug, slug, content: 'Text' });
    const { post } = (await draft.json()) as PostSaved;
    const now = Date.parse((await fetch(`${site.url}/api/health/live`)).headers.get('Date') ?? '');
    const scheduledAt = new Date(now + 3_000).toISOString();
    const response = await writer.call('PATCH', `/api/posts/${post.id}`, { scheduledAt });
    if (!response.ok) {
      this.#findings.breaks(`${slug} cannot be scheduled: ${await response.text()}`);
      return;
    }
    this.#slugs.push(slug);
    const deadline = performance.now() + maxWait;
    while ((await fetch(`${site.url}/blog/${slug}`)).status !== 200) {
      if (performance.now() > deadline) {
        this.#findings.breaks(`${slug} was not published`);
        return;
      }
      await pause(50);
    }
  }

  /** Expects everything that was acknowledged to be there still, and its emails to be sent. */
  async expectAll({ dataDir, url }: SiteProcess): Promise<void> {
    const db = open(join(dataDir, 'site.db'));
    const select = 'SELECT name FROM contact_submissions';
    const stored = new Set(db.$client.prepare<[], string>(select).pluck().all());
    // Many messages from one address are in quarantine, and cause no emails.
    const delivered = db.$client
      .prepare<[], string>(`${select} WHERE spam_signals IS NULL`)
      .pluck()
      .all();
    close(db);
    const lost = this.#messages
      .filter((name) => !stored.has(name))
      .map((name) => `message ${name}`);
    for (const slug of this.#slugs) {
      const { status } = await fetch(`${url}/blog/${slug}`);
      if (status !== 200) lost.push(`post ${slug} (${status})`);
      if (!existsSync(join(dataDir, `site/blog/${slug}.html`))) lost.push(`page ${slug}`);
    }
    this.#findings.set('writes acknowledged', this.#messages.length + this.#slugs.length);
    this.#findings.count('writes lost', lost.length);
    for (const text of lost) this.#findings.breaks(`lost: ${text}`);
    await this.#expectEmails(dataDir, delivered);
  }

  async #expectEmails(dataDir: string, delivered: readonly string[]): Promise<void> {
    const deadline = performance.now() + maxWait;
    for (;;) {
      const subjects = new Set((await readEmails(dataDir)).map(({ subject }) => subject));
      const missing = delivered.filter((name) => !subjects.has(`Message from ${name}`));
      if (missing.length === 0) return;
      if (performance.now() > deadline) {
        for (const name of missing) this.#findings.breaks(`the email of ${name} was not sent`);
        return;
      }
      await pause(200);
    }
  }
}

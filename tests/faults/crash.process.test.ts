import { join } from 'node:path';
import type { Post, PostSaved } from '@app/contract/blog/posts';
import { open } from '@app/db/open';
import { expect, test } from 'vitest';
import { readEmails } from '../support/mailbox.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { Writer } from '../support/writer.ts';

const enoughOfEach = 15;

interface Acknowledged {
  /** The last response for each published post. */
  posts: Map<string, PostSaved>;
  /** Posts with an unanswered change: old or new content is correct. */
  unanswered: Set<string>;
  /** Senders of acknowledged messages. */
  visitors: string[];
}

async function writeUntilTheEnd(
  writer: Writer,
  site: SiteProcess,
  enough: () => void,
): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { posts: new Map(), unanswered: new Set(), visitors: [] };
  const { posts, unanswered, visitors } = acknowledged;
  let isGone = false;
  void site.ended.then(() => {
    isGone = true;
  });

  const save = async (slug: string, method: string, path: string, body: object) => {
    unanswered.add(slug);
    const response = await writer.call(method, path, body);
    const saved = (await response.json()) as PostSaved;
    if (saved.publishing.state !== 'live') throw new Error(JSON.stringify(saved));
    unanswered.delete(slug);
    posts.set(slug, saved);
    if (posts.size >= enoughOfEach && visitors.length >= enoughOfEach) enough();
    return saved.post;
  };
  const author = async (name: string) => {
    for (let n = 0; ; n += 1) {
      const slug = `${name}-${n}`;
      const content = `${slug} as written. ${'text '.repeat(500)}`;
      const post = await save(slug, 'POST', '/api/posts', {
        title: slug,
        content,
        published: true,
      });
      await save(slug, 'PATCH', `/api/posts/${post.id}`, { content: `${slug} as edited.` });
    }
  };
  const visitor = async (name: string) => {
    for (let n = 0; ; n += 1) {
      const message = { name: `${name}-${n}`, email: 'vera@example.com', message: 'Hello' };
      const response = await writer.call('POST', '/api/contact', message);
      if (response.status === 201) visitors.push(message.name);
    }
  };

  const everybody = [author('ann'), author('bob'), author('cleo'), visitor('vera'), visitor('vic')];
  for (const result of await Promise.allSettled(everybody)) {
    if (result.status === 'rejected' && !(result.reason instanceof TypeError)) throw result.reason;
  }
  await site.ended;
  if (!isGone) throw new Error('the server went on');
  return acknowledged;
}

test('everything acknowledged survives a kill during writes', async () => {
  using folder = temporaryFolder();
  const options = { dataDir: folder.path };
  let acknowledged: Acknowledged;
  {
    await using site = await SiteProcess.start(options);
    const writer = await Writer.signUp(site);
    acknowledged = await writeUntilTheEnd(writer, site, () => site.signal('SIGKILL'));
    expect(await site.ended).toMatchObject({ signal: 'SIGKILL' });
  }

  await using site = await SiteProcess.start(options);
  const { posts, unanswered, visitors } = acknowledged;
  expect(posts.size).toBeGreaterThanOrEqual(enoughOfEach);
  for (const [slug, { post, publishing }] of posts) {
    const page = Buffer.from(await (await fetch(`${site.url}/blog/${slug}`)).arrayBuffer());
    if (unanswered.has(slug)) {
      expect(page.toString()).toMatch(new RegExp(`${slug} as (?:written|edited)\\.`));
      continue;
    }
    expect(page.toString()).toContain(post.content.slice(0, 30));
    expect(publishing).toMatchObject({ state: 'live' });
    expect(await (await fetch(`${site.url}/api/posts/${slug}`)).json()).toEqual(
      post satisfies Post,
    );
  }

  const { $client: client } = open(join(folder.path, 'site.db'));
  const names = client.prepare<[], { name: string }>('SELECT name FROM contact_submissions').all();
  const emails = client
    .prepare<[], { subject: string; state: string }>(
      "SELECT subject, state FROM outbox WHERE kind = 'contact-notice'",
    )
    .all();
  client.close();
  const stored = names.map(({ name }) => name);
  expect(new Set(visitors).isSubsetOf(new Set(stored))).toBe(true);
  expect(emails.map(({ subject }) => subject).sort()).toEqual(
    stored.map((name) => `Message from ${name}`).sort(),
  );

  const files = (await readEmails(folder.path)).map(({ subject }) => subject);
  for (const { subject, state } of emails) {
    if (state === 'sent') expect(files).toContain(subject);
  }
  expect(await (await fetch(`${site.url}/api/health`)).json()).toMatchObject({
    status: 'ok',
    queues: { publishing: { pending: 0 } },
  });
});

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startS3Server } from '@app/api/src/testing/s3-server.ts';
import { withReadOnly } from '@app/db/read-only';
import { verifySnapshot } from '@app/db/snapshot';
import { expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { isFullRun } from '../support/full-run.ts';
import { installLitestream, Litestream, type Replica } from '../support/litestream.ts';
import { untilPublished } from '../support/queues.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { Writer } from '../support/writer.ts';

class Author {
  /** Slugs of posts and names in messages that the server acknowledged, in order. */
  readonly posts: string[] = [];
  readonly messages: string[] = [];
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  async write(): Promise<void> {
    const slug = `post-${this.posts.length}`;
    const post = { title: slug, slug, content: `${slug} as written.`, published: true };
    expect((await this.#writer.call('POST', '/api/posts', post)).status).toBe(201);
    this.posts.push(slug);
    for (let n = 0; n < 4; n += 1) {
      const name = `Visitor ${this.messages.length}`;
      const message = { name, email: 'vera@example.com', message: `${name} has a leaking pipe.` };
      expect((await this.#writer.call('POST', '/api/contact', message)).status).toBe(201);
      this.messages.push(name);
    }
  }

  get written() {
    return { posts: this.posts.length, messages: this.messages.length };
  }
}

const storedIn = (file: string) =>
  withReadOnly(file, ({ $client: client }) => ({
    posts: client
      .prepare<[], string>(
        "SELECT slug FROM blog_posts WHERE slug LIKE 'post-%' ORDER BY created_at, id",
      )
      .pluck()
      .all(),
    messages: client
      .prepare<[], string>('SELECT name FROM contact_submissions ORDER BY id')
      .pluck()
      .all(),
  }));

const countsIn = (file: string) => {
  const { posts, messages } = storedIn(file);
  return { posts: posts.length, messages: messages.length };
};

/** Waits until a restore of the latest state contains all messages. */
async function replicated(litestream: Litestream, author: Author, folder: string): Promise<void> {
  // A restore fails until the first snapshot exists.
  await expect.poll(() => litestream.count('snapshot written')).toBeGreaterThan(0);
  let restores = 0;
  const restoredMessages = async () => {
    restores += 1;
    const file = join(folder, `replicated-${author.posts.length}-${restores}.db`);
    await litestream.restore(file);
    return countsIn(file).messages;
  };
  await expect.poll(restoredMessages).toBe(author.messages.length);
}

/** @returns their slugs, once no publish job is left */
async function publishedPosts(site: SiteProcess): Promise<string[]> {
  await untilPublished(site);
  const sitemap = readFileSync(join(site.dataDir, 'site', 'blog/rss.xml'), 'utf8');
  expect(sitemap).toContain('<rss');
  const { posts } = storedIn(join(site.dataDir, 'site.db'));
  const isPublished = (slug: string) =>
    existsSync(join(site.dataDir, 'site', 'blog', `${slug}.html`));
  return posts.filter(isPublished);
}

type Destination = 'a folder' | 'S3';

/** Disposing it stops the S3 server. */
async function startReplica(
  destination: Destination,
  folder: string,
): Promise<Replica & AsyncDisposable> {
  const path = join(folder, 'replica');
  if (destination === 'S3') return { ...(await startS3Server(path)), url: 's3://backups/site' };
  return { url: `file://${path}`, [Symbol.asyncDispose]: () => Promise.resolve() };
}

test.runIf(isFullRun).for<Destination>(['a folder', 'S3'])(
  'Litestream restores a killed site from %s to its latest state and to an earlier moment',
  { timeout: 600_000 },
  async (destination, { skip }) => {
    using folder = temporaryFolder();
    const installed = await installLitestream(join(folder.path, 'litestream'));
    if ('reason' in installed) return skip(installed.reason);
    const { program } = installed;
    const dataDir = join(folder.path, 'data');
    const [latest, earlier] = [join(folder.path, 'latest'), join(folder.path, 'earlier')];

    await using replica = await startReplica(destination, folder.path);
    await using site = await SiteProcess.start({ dataDir });
    await using litestream = new Litestream(program, dataDir, replica);
    const segments = () => litestream.count('wal segment written');
    const author = new Author(await Writer.signUp(site));
    while (author.posts.length < 5) await author.write();
    await replicated(litestream, author, folder.path);
    const moment = new Date();
    const before = author.written;
    // S3 reports file times in whole seconds.
    while (Date.now() < moment.getTime() + 1_000) await setTimeout(50);

    // A change is in the second segment that Litestream writes after it, or at the latest in the
    // third.
    while (author.posts.length < 10) await author.write();
    const safe = author.written;
    const writtenBefore = segments();
    while (segments() < writtenBefore + 3) await author.write();
    site.signal('SIGKILL');
    await Promise.all([site.ended, litestream.kill()]);

    await litestream.restore(join(latest, 'site.db'));
    const { posts, messages } = storedIn(join(latest, 'site.db'));
    expect(posts).toEqual(author.posts.slice(0, posts.length));
    expect(messages).toEqual(author.messages.slice(0, messages.length));
    expect(posts.length).toBeGreaterThanOrEqual(safe.posts);
    expect(messages.length).toBeGreaterThanOrEqual(safe.messages);
    await expectIntact(latest);
    {
      await using restored = await SiteProcess.launch({ dataDir: latest });
      await restored.ready;
      expect(await publishedPosts(restored)).toEqual(posts);
      const health = await fetch(`${restored.url}/api/health`);
      expect(await health.json()).toMatchObject({ status: 'ok' });
    }

    await litestream.restore(join(earlier, 'site.db'), moment);
    expect(countsIn(join(earlier, 'site.db'))).toEqual(before);
    await expectIntact(earlier);
    // As in docs/operations.md.
    for (const name of ['site.db', 'site.db-wal', 'site.db-shm', '.site.db-litestream']) {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    }
    const restoring = await cli(dataDir, ['restore', join(earlier, 'site.db')]);
    expect(restoring).toMatchObject({ code: 0 });
    await using again = await SiteProcess.start({ dataDir, port: site.port });
    for (const slug of author.posts.slice(before.posts)) {
      expect((await fetch(`${again.url}/blog/${slug}`)).status, slug).toBe(404);
    }
    await again.logged('republished all pages');
    expect(await publishedPosts(again)).toEqual(author.posts.slice(0, before.posts));

    await using next = new Litestream(program, dataDir, replica);
    const writer = await Writer.signIn(again, 'ann@example.com');
    if (!writer) throw new Error('the account was not restored');
    const post = { title: 'After', slug: 'post-after', content: 'After.', published: true };
    expect((await writer.call('POST', '/api/posts', post)).status).toBe(201);
    const current = storedIn(join(dataDir, 'site.db'));
    let restores = 0;
    const restored = async () => {
      restores += 1;
      const file = join(folder.path, `after-${restores}.db`);
      await next.restore(file);
      return storedIn(file);
    };
    await expect.poll(restored).toEqual(current);
    expect([...litestream.errors, ...next.errors]).toEqual([]);
  },
);

/** Checks every page of the database, and that a backup of it is valid. */
async function expectIntact(dataDir: string): Promise<void> {
  verifySnapshot(join(dataDir, 'site.db'));
  const archive = `${dataDir}.tar.gz`;
  expect(await cli(dataDir, ['backup', archive])).toMatchObject({ code: 0 });
  expect(await cli('/nowhere', ['verify', archive])).toMatchObject({ code: 0 });
  rmSync(join(dataDir, 'last-backup.json'));
}

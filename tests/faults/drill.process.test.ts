import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { verifySnapshot } from '@app/db/snapshot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { openDatabase } from '../support/database.ts';
import { isFullRun } from '../support/full-run.ts';
import { moveDatabaseAside } from '../support/move-aside.ts';
import { png } from '../support/pictures.ts';
import { untilPublished } from '../support/queues.ts';
import { copySite, SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { Writer } from '../support/writer.ts';

const posts = isFullRun ? 400 : 12;
/** The limit is 30 uploads per hour. */
const uploadEvery = isFullRun ? 20 : 10;

const picture = new Uint8Array(await png(1, 1));

async function publish(writer: Writer, slug: string): Promise<void> {
  const post = { title: slug, slug, content: `${slug} as written.`, published: true };
  expect((await writer.call('POST', '/api/posts', post)).status).toBe(201);
}

async function write(writer: Writer): Promise<void> {
  for (let n = 0; n < posts; n += 1) await publish(writer, `post-${n}`);
}

async function send(writer: Writer): Promise<void> {
  for (let n = 0; n < posts; n += 1) {
    const message = { name: `Vera ${n}`, email: 'vera@example.com', message: 'Hello' };
    await writer.call('POST', '/api/contact', message);
    if (n % uploadEvery === 0) expect((await writer.upload(picture)).status).toBe(200);
  }
}

const hashes = (folder: string, pattern: string): Record<string, string> =>
  Object.fromEntries(
    globSync(pattern, { cwd: folder })
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );

// Without compressed files, which differ in effort, and cards, which are rendered in the background.
const pagesIn = (dataDir: string) => hashes(join(dataDir, 'site'), '**/*.{html,xml,md,txt,json}');

const postsIn = (dataDir: string): number => {
  using db = openDatabase(dataDir);
  return db.$client.prepare<[], number>('SELECT count(*) FROM blog_posts').pluck().get() ?? 0;
};

/** Expects a backup made during writes to have the posts from before it, and the avatar's files. */
async function expectBetween(archive: string, before: number, after: number): Promise<void> {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  expect(await cli('/nowhere', ['verify', archive])).toMatchObject({ code: 0 });
  const restored = await cli(dataDir, ['restore', archive]);
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('2 uploaded files') });
  const { counts } = verifySnapshot(join(dataDir, 'site.db'));
  expect(counts['blog_posts']).toBeGreaterThanOrEqual(before);
  expect(counts['blog_posts']).toBeLessThanOrEqual(after);
  expect(restored.out).toContain(
    `1 account, ${counts['blog_posts']} posts, ${counts['contact_submissions']} message`,
  );
  using db = openDatabase(dataDir);
  const [avatar = ''] = db.$client
    .prepare<[], string>('SELECT avatar_url FROM profiles WHERE avatar_url IS NOT NULL')
    .pluck()
    .all();
  for (const path of [avatar, smallAvatarUrl(avatar)]) {
    expect([path, existsSync(join(dataDir, path))]).toEqual([path, true]);
  }
}

test('backups made during and after writes restore the same site elsewhere', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const [dataDir, target] = [join(folder.path, 'data'), join(other.path, 'data')];
  const during = join(folder.path, 'during.tar.gz');
  const after = join(folder.path, 'after.tar.gz');
  let port: number;
  {
    await using site = await SiteProcess.start({ dataDir });
    port = site.port;
    // Members have quotas.
    const writer = Writer.add(site, 'ann', 'staff');
    await publish(writer, 'first');
    expect((await writer.upload(picture)).status).toBe(200);
    const load = Promise.all([write(writer), send(writer)]);
    const before = postsIn(dataDir);
    const backup = await cli(dataDir, ['backup', during]);
    expect(backup).toMatchObject({ code: 0, err: expect.not.stringContaining('gone') });
    const meanwhile = postsIn(dataDir);
    await load;
    await expectBetween(during, before, meanwhile);
    await untilPublished(site);
    expect(await cli(dataDir, ['backup', after])).toMatchObject({ code: 0 });
    await site.stop();
  }
  expect(await cli('/nowhere', ['verify', after])).toMatchObject({ code: 0 });
  expect(await cli(target, ['restore', after])).toMatchObject({ code: 0 });

  const { counts } = verifySnapshot(join(target, 'site.db'));
  const own = verifySnapshot(join(dataDir, 'site.db')).counts;
  // The id of the database.
  expect(counts).toEqual({ ...own, server_secrets: (own['server_secrets'] ?? 0) - 1 });
  expect(counts).toMatchObject({ blog_posts: posts + 1, contact_submissions: posts });
  const uploads = hashes(target, 'uploads/**/*.webp');
  expect(Object.keys(uploads)).toHaveLength(2);
  expect(hashes(dataDir, 'uploads/**/*.webp')).toMatchObject(uploads);

  await using restored = await SiteProcess.launch({ dataDir: target, port });
  await restored.ready;
  const pages = pagesIn(target);
  expect(pages).toEqual(pagesIn(dataDir));
  expect(Object.keys(pages).length).toBeGreaterThan(2 * posts);
  for (const path of ['/blog/first', `/blog/post-${posts - 1}`]) {
    expect((await fetch(restored.url + path)).status).toBe(200);
  }
  expect(await (await fetch(`${restored.url}/api/health`)).json()).toMatchObject({ status: 'ok' });
});

const newer = temporaryFolder();
const [newerDir, archive, database] = ['data', 'site.tar.gz', 'site.db'].map((name) =>
  join(newer.path, name),
) as [string, string, string];
let port: number;
let pages: Record<string, string>;

/** Makes a site with a page that is newer than its backup and a copy of its database. */
beforeAll(async () => {
  const dataDir = newerDir;
  await using site = await SiteProcess.start({ dataDir });
  port = site.port;
  await publish(Writer.add(site), 'kept');
  await untilPublished(site);
  expect(await cli(dataDir, ['backup', archive])).toMatchObject({ code: 0 });
  pages = pagesIn(dataDir);
  {
    using db = openDatabase(dataDir);
    db.$client.prepare('VACUUM INTO ?').run(database);
  }
  await publish(Writer.add(site, 'bob'), 'later');
  await untilPublished(site);
  expect(Object.keys(pagesIn(dataDir))).toContain('blog/later.html');
  await site.stop();
});
afterAll(() => newer[Symbol.dispose]());

test('a restored site has the pages of its backup', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  expect(await cli(dataDir, ['restore', archive])).toMatchObject({ code: 0 });
  await using site = await SiteProcess.start({ dataDir, port });
  expect(pagesIn(dataDir)).toEqual(pages);
  expect((await fetch(`${site.url}/blog/later`)).status).toBe(404);
});

test.each([
  ['was put back by hand', (dataDir: string) => copyFileSync(database, join(dataDir, 'site.db'))],
  [
    'was restored beside them',
    async (dataDir: string) => {
      expect(await cli(dataDir, ['restore', database])).toMatchObject({ code: 0 });
    },
  ],
])('newer pages are gone at once when a database %s', async (_what, putBack) => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  copySite(newerDir, dataDir);
  moveDatabaseAside(dataDir);
  await putBack(dataDir);
  await using site = await SiteProcess.start({ dataDir, port });
  expect((await fetch(`${site.url}/blog/later`)).status).toBe(404);
  await site.logged('republished all pages');
  expect(pagesIn(dataDir)).toEqual(pages);
});

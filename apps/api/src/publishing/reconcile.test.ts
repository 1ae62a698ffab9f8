import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import { close, open } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { publishJobs } from '@app/db/schema/publishing';
import { copyTestDatabase } from '@app/db/testing/test-database';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { caughtUp } from '@app/db/write-transaction';
import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StartupError } from '../startup-error.ts';
import {
  makeDataDir,
  passTime,
  rendererWith,
  shownAt,
  startWriting,
  startWritingAndCrash,
} from '../testing/blog.ts';
import { copiedFolder } from '../testing/copied-folder.ts';
import { publishedPages, wantedPages } from '../testing/site.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';
import { insertPublishJob } from './jobs.ts';
import { listFiles } from './release.ts';

/** A stopped site with three posts in two months, one of them renamed, and a draft. */
const copyStoppedSite = copiedFolder(async (dataDir) => {
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  const { write, change } = await startWriting(testApp);
  await write('First');
  const { post } = await write('Second');
  await change(post, { slug: 'renamed' });
  testApp.clock.move(31 * day);
  await write('Third');
  await write('A draft', { published: false });
});

async function makeStoppedSite(): Promise<string> {
  const dataDir = makeDataDir();
  await copyStoppedSite(dataDir);
  return dataDir;
}

const releaseOf = (dataDir: string): string => join(dataDir, readlinkSync(join(dataDir, 'site')));
const manifestOf = (dataDir: string): string => `${releaseOf(dataDir)}.manifest`;

async function allFiles(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, 'site');
  const names = (await listFiles(folder)).sort();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  );
}

test('does not touch intact files', async () => {
  const dataDir = await makeStoppedSite();
  const before = await allFiles(dataDir);
  const inodes = () => Object.keys(before).map((name) => statSync(join(dataDir, 'site', name)).ino);
  const inodesBefore = inodes();
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(dataDir), (path) => void rendered.push(path));

  await using _restarted = await makeTestApp({ publishes: true, dataDir, renderer });

  expect(rendered).toEqual([]);
  expect(await allFiles(dataDir)).toEqual(before);
  expect(inodes()).toEqual(inodesBefore);
});

test.each<[string, (site: string, dataDir: string) => void]>([
  ['a missing page', (site) => rmSync(join(site, 'blog', 'first.html'))],
  [
    'compressed siblings of an earlier version',
    (site) => writeFileSync(join(site, 'blog', 'first.html.br'), 'old'),
  ],
  ['a missing list', (site) => rmSync(join(site, 'blog.html'))],
  ['a missing page of an old slug', (site) => rmSync(join(site, 'blog', 'second.html'))],
  ['a missing blog folder', (site) => rmSync(join(site, 'blog'), { recursive: true })],
  ['a missing file of the build', (site) => rmSync(join(site, 'index.html'))],
  ['a missing asset', (site) => rmSync(join(site, '_astro'), { recursive: true })],
  ['a page without a post', (site) => writeFileSync(join(site, 'blog', 'gone.html'), 'gone')],
  ['a published draft', (site) => writeFileSync(join(site, 'blog', 'draft.html'), 'secret')],
  ['a temporary file of a crash', (site) => writeFileSync(join(site, '.new-a'), 'ha')],
  [
    'a temporary file of a crash among the assets',
    (site) => writeFileSync(join(site, '_astro', '.new-a.css'), 'ha'),
  ],
  [
    'a switch to another release that a crash interrupted',
    (_site, dataDir) => symlinkSync('releases/gone', join(dataDir, '.site.new')),
  ],
  ['a missing manifest', (_site, dataDir) => rmSync(manifestOf(dataDir))],
  ['an empty manifest', (_site, dataDir) => writeFileSync(manifestOf(dataDir), '')],
  [
    'a manifest with a partial last line',
    (_site, dataDir) => appendFileSync(manifestOf(dataDir), '{"path":"/b'),
  ],
  [
    'a manifest without assets',
    (_site, dataDir) => {
      const [first = '', ...lines] = readFileSync(manifestOf(dataDir), 'utf8').split('\n');
      const { assets, ...origin } = JSON.parse(first);
      writeFileSync(manifestOf(dataDir), [JSON.stringify(origin), ...lines].join('\n'));
    },
  ],
  [
    'malformed lines in the manifest',
    (_site, dataDir) =>
      appendFileSync(manifestOf(dataDir), 'null\n{"path":"/../site.db","version":""}\n'),
  ],
  [
    'an unfinished release',
    (_site, dataDir) => {
      mkdirSync(join(dataDir, 'releases', 'build-2-dead'));
      writeFileSync(join(dataDir, 'releases', 'build-2-dead.manifest'), '{}\n');
    },
  ],
  [
    'a link to a missing release',
    (_site, dataDir) => rmSync(releaseOf(dataDir), { recursive: true }),
  ],
  ['a missing link', (_site, dataDir) => rmSync(join(dataDir, 'site'))],
])('repairs %s at startup', async (_what, damage) => {
  const dataDir = await makeStoppedSite();
  const before = await allFiles(dataDir);
  damage(join(dataDir, 'site'), dataDir);

  await using testApp = await makeTestApp({ publishes: true, dataDir });
  await testApp.deps.publisher.settled();

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(readdirSync(dataDir)).not.toContain('.site.new');
  expect(Object.keys(await allFiles(dataDir))).toEqual(Object.keys(before));
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(2);
});

test('runs jobs at startup that a crash left behind', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWriting(testApp);
    const edited = await write('Edited');
    const renamed = await write('Renamed');
    const removed = await write('Removed');
    const hidden = await write('Hidden');
    const before = await publishedPages(testApp);
    await testApp.deps.publisher.settled();

    const crashing = await startWritingAndCrash(testApp);
    await crashing.write('New');
    await crashing.change(edited.post, { title: 'After the edit' });
    await crashing.change(renamed.post, { slug: 'elsewhere' });
    await crashing.remove(removed.post);
    await crashing.change(hidden.post, { published: false });
    expect(await publishedPages(testApp)).toEqual(before);
    // One for each change, and a second one for each of the three posts that stay published.
    expect(testApp.deps.publisher.depth()).toBe(8);
  }

  await using testApp = await makeTestApp({ publishes: true, dataDir });

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog/renamed')).toEqual({ kind: 'moved', to: 'elsewhere' });
  expect(await shownAt(testApp, '/blog/removed')).toBeNull();
  expect(await shownAt(testApp, '/blog/hidden')).toBeNull();
  expect(JSON.stringify(await shownAt(testApp, '/blog'))).toContain('After the edit');
  expect(testApp.deps.publisher.depth()).toBe(0);
});

testOnFile(
  'runs the remaining jobs at startup after a crash that followed the response',
  'the publisher of a replica finds the remaining jobs itself',
  async () => {
    const dataDir = makeDataDir();
    {
      await using testApp = await makeTestApp({ publishes: true, dataDir });
      const { deps } = testApp;
      await (await startWriting(testApp)).write('Older');
      await deps.publisher.settled();
      const publisher = { ...deps.publisher, publishInBackground: async () => false };
      const { write } = await startWriting({ deps: { ...deps, publisher } });
      testApp.clock.move(31 * day);
      expect((await write('Newer')).publishing).toMatchObject({ state: 'live' });
      await deps.publisher.settled();
      expect(JSON.stringify(await shownAt(testApp, '/blog'))).toContain('Newer');
      expect(JSON.stringify(await shownAt(testApp, '/blog/rss.xml'))).not.toContain('Newer');
      expect(deps.publisher.depth()).toBe(1);
    }

    await using testApp = await makeTestApp({ publishes: true, dataDir });

    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
    expect(testApp.deps.publisher.depth()).toBe(0);
  },
);

test('removes the sample posts at startup after a crash while the first post was saved', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWritingAndCrash(testApp);
    await write('Ours');
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog')).toMatchObject({ posts: [{ title: 'Ours' }] });
});

test('publishes the state of a restored older database at startup', async () => {
  const dataDir = await makeStoppedSite();
  const before = await allFiles(dataDir);
  const backup = join(dataDir, 'backup.db');
  copyTestDatabase(join(dataDir, 'site.db'), backup);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write, change, remove } = await startWriting(testApp);
    const { post } = await write('After the backup');
    await change(post, { title: 'Edited', slug: 'edited' });
    for (const slug of ['first', 'third']) {
      const shown = await shownAt(testApp, `/blog/${slug}`);
      if (shown?.kind !== 'post') throw new Error(`no post at ${slug}`);
      if (slug === 'first') await change(shown.post, { content: 'Edited after the backup' });
      else await remove(shown.post);
    }
  }
  renameSync(backup, join(dataDir, 'site.db'));

  await using _restored = await makeTestApp({ publishes: true, dataDir });

  expect(await allFiles(dataDir)).toEqual(before);
});

test('detects a restored database even if the post versions match', async () => {
  const dataDir = await makeStoppedSite();
  const backup = join(dataDir, 'backup.db');
  copyTestDatabase(join(dataDir, 'site.db'), backup);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { change } = await startWriting(testApp);
    const shown = await shownAt(testApp, '/blog/first');
    if (shown?.kind !== 'post') throw new Error('no post');
    await change(shown.post, { content: 'Edited in the one' });
  }
  // A diverged copy: same version of the post, different author name.
  const copy = open(backup);
  const author = { fullName: 'Ann Other', updatedAt: 1 };
  copy
    .insert(profiles)
    .values({ id: 'ann', ...author })
    .onConflictDoUpdate({ target: profiles.id, set: author })
    .run();
  copy
    .update(blogPosts)
    .set({ content: 'Edited in the other', version: sql`${blogPosts.version} + 1` })
    .where(eq(blogPosts.slug, 'first'))
    .run();
  close(copy);
  renameSync(backup, join(dataDir, 'site.db'));

  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({
    post: { content: 'Edited in the other', author: { fullName: 'Ann Other' } },
  });
  expect(await shownAt(testApp, '/blog/third')).toMatchObject({
    post: { author: { fullName: 'Ann Other' } },
  });
});

test('publishes the state of a database that was replaced while the server runs', async () => {
  const dataDir = await makeStoppedSite();
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  const { db, publisher } = testApp.deps;
  const { write } = await startWriting(testApp);
  const { post } = await write('Lost');
  // Like a standby database: it lacks the last commit, and a later job has the same id.
  db.delete(blogPosts).where(eq(blogPosts.id, post.id)).run();
  db.update(blogPosts)
    .set({ content: 'Edited at another server', version: sql`${blogPosts.version} + 1` })
    .where(eq(blogPosts.slug, 'first'))
    .run();

  await publisher.reconcile();

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog/lost')).toBeNull();
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({
    post: { content: 'Edited at another server' },
  });
});

test('updates pages whose jobs other servers have already run and deleted', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { db, publisher } = testApp.deps;
  const { write } = await startWriting(testApp);
  await write('First');
  const edit = (content: string) =>
    db.transaction(
      (tx) => {
        const version = sql`${blogPosts.version} + 1`;
        tx.update(blogPosts).set({ content, version }).where(eq(blogPosts.slug, 'first')).run();
        insertPublishJob(tx, testApp.clock.now(), ['/blog/first', '/blog/first.md']);
      },
      { behavior: 'immediate' },
    );
  edit('Edited at another server');
  db.delete(publishJobs).run();
  await caughtUp(db);
  publisher.checkForJobs();

  await until(() => publisher.takeMissedJobs());
  expect(publisher.takeMissedJobs()).toBe(false);
  await publisher.reconcile();

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({
    post: { content: 'Edited at another server' },
  });
  expect(publisher.takeMissedJobs()).toBe(false);
});

test('updates restored older files at startup', async () => {
  const dataDir = await makeStoppedSite();
  const backup = makeDataDir();
  cpSync(join(dataDir, 'releases'), backup, { recursive: true });
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWriting(testApp);
    await write('After the backup');
  }
  const after = await allFiles(dataDir);
  rmSync(join(dataDir, 'releases'), { recursive: true });
  cpSync(backup, join(dataDir, 'releases'), { recursive: true });

  await using _restored = await makeTestApp({ publishes: true, dataDir });

  expect(await allFiles(dataDir)).toEqual(after);
});

test('renders a post again that was edited directly in the database', async () => {
  const dataDir = await makeStoppedSite();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    testApp.deps.db.$client.exec(
      "UPDATE blog_posts SET title = 'Edited by hand', version = version + 1 WHERE slug = 'first'",
    );
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(JSON.stringify(await shownAt(testApp, '/blog'))).toContain('Edited by hand');
});

test('renders more missing pages at startup than fit into one batch', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWritingAndCrash(testApp);
    for (let n = 0; n < 130; n += 1) await write(`Post ${n}`);
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('starts and publishes the other pages when one fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const dataDir = await makeStoppedSite();
  for (const slug of ['first', 'third']) rmSync(join(dataDir, 'site', 'blog', `${slug}.html`));
  let isBroken = true;
  const renderer = rendererWith(makeRenderer(dataDir), (path) => {
    if (isBroken && path === '/blog/first') throw new Error('broken');
  });

  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  expect(await shownAt(testApp, '/blog/third')).toMatchObject({ kind: 'post' });
  expect([...testApp.deps.publisher.failures().keys()]).toEqual(['/blog/first']);

  isBroken = false;
  passTime(testApp, 10_000);
  await until(() => testApp.deps.publisher.depth() === 0);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('refuses to start if the link is a folder, and says what to do', async () => {
  const dataDir = makeDataDir();
  mkdirSync(join(dataDir, 'site'));
  const starting = makeTestApp({ publishes: true, dataDir });
  await expect(starting).rejects.toThrow(StartupError);
  await expect(starting).rejects.toThrow(/move the folder away/);
});

test('replaces a dangling link', async () => {
  const dataDir = await makeStoppedSite();
  rmSync(join(dataDir, 'site'));
  symlinkSync('releases/nowhere', join(dataDir, 'site'));
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('opens the manifest only once when `start` is retried', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const openManifests = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(testApp.dataDir, 'releases'));
      } catch {
        return false;
      }
    });
  const before = openManifests();
  expect(before).toHaveLength(1);
  await testApp.deps.publisher.start();
  expect(openManifests()).toHaveLength(1);
});

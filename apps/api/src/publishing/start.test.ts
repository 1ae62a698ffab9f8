import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import { close, open } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { publishLog } from '@app/db/schema/publishing';
import { copyTestDatabase } from '@app/db/testing/test-database';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { caughtUp, writeTransaction } from '@app/db/write-transaction';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { StartupError } from '../startup-error.ts';
import {
  makeDataDir,
  rendererWith,
  shownAt,
  startWriting,
  startWritingAndCrash,
} from '../testing/blog.ts';
import { copiedFolder } from '../testing/copied-folder.ts';
import { publishedPages, wantedPages } from '../testing/site.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { everything, logChange } from './log.ts';
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
  await testApp.deps.publisher.settled();
});

async function makeStoppedSite(): Promise<string> {
  const dataDir = makeDataDir();
  await copyStoppedSite(dataDir);
  return dataDir;
}

async function allFiles(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, 'site');
  const names = (await listFiles(folder)).sort();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  );
}

test('publishes at startup what a crash left behind', async () => {
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
    expect(testApp.deps.publisher.depth()).toBeGreaterThan(4);
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
  'publishes the other pages at startup after a crash that followed the response',
  'the publisher of a replica finds them itself',
  async () => {
    const dataDir = makeDataDir();
    {
      await using testApp = await makeTestApp({ publishes: true, dataDir });
      const { deps } = testApp;
      await (await startWriting(testApp)).write('Older');
      await deps.publisher.settled();
      const publisher = { ...deps.publisher, wake: () => undefined };
      const { write } = await startWriting({ deps: { ...deps, publisher } });
      testApp.clock.move(31 * day);
      expect((await write('Newer')).publishing).toMatchObject({ state: 'live' });
      await deps.publisher.settled();
      expect(JSON.stringify(await shownAt(testApp, '/blog'))).toContain('Newer');
      expect(JSON.stringify(await shownAt(testApp, '/blog/rss.xml'))).not.toContain('Newer');
      expect(deps.publisher.depth()).toBeGreaterThan(1);
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

  await using restored = await makeTestApp({ publishes: true, dataDir });
  await restored.deps.publisher.settled();

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
  await testApp.deps.publisher.settled();
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
  // Like a standby database: it lacks the last commit, and a later entry has the same number.
  db.delete(blogPosts).where(eq(blogPosts.id, post.id)).run();
  db.update(blogPosts)
    .set({ content: 'Edited at another server', version: sql`${blogPosts.version} + 1` })
    .where(eq(blogPosts.slug, 'first'))
    .run();

  publisher.renderAll();
  await publisher.settled();

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog/lost')).toBeNull();
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({
    post: { content: 'Edited at another server' },
  });
});

test('renders all pages if entries were deleted before it read them', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { db, publisher } = testApp.deps;
  const { write } = await startWriting(testApp);
  await write('First');
  const edit = (content: string) =>
    db.transaction(
      (tx) => {
        const version = sql`${blogPosts.version} + 1`;
        tx.update(blogPosts).set({ content, version }).where(eq(blogPosts.slug, 'first')).run();
        logChange(tx, testApp.clock.now(), ['/blog/first', '/blog/first.md']);
      },
      { behavior: 'immediate' },
    );
  edit('Edited at another server');
  db.delete(publishLog).run();
  await caughtUp(db);
  await publisher.run();
  await publisher.settled();

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({
    post: { content: 'Edited at another server' },
  });
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

test('renders all pages again when asked to, and serves the old ones until then', async () => {
  const dataDir = await makeStoppedSite();
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  const { db, publisher } = testApp.deps;
  const before = readlinkSync(join(dataDir, 'site'));
  const damaged = join(dataDir, 'site', 'blog', 'first.html');
  writeFileSync(damaged, 'damaged');
  await writeTransaction(db, (tx) => logChange(tx, testApp.clock.now(), [everything]));
  await publisher.run();
  await publisher.settled();
  expect(readlinkSync(join(dataDir, 'site'))).not.toBe(before);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('keeps retrying a page that failed, also after a restart', async () => {
  const dataDir = await makeStoppedSite();
  let isBroken = true;
  const renderer = rendererWith(makeRenderer(dataDir), (path) => {
    if (isBroken && path === '/blog/broken') throw new Error('broken');
  });
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
    await (await startWriting(testApp)).write('Broken');
    await testApp.deps.publisher.settled();
    expect([...testApp.deps.publisher.failures().keys()]).toEqual(['/blog/broken']);
  }
  isBroken = false;
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  expect(testApp.deps.publisher.depth()).toBe(0);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('renders nothing at a start after a clean stop', async () => {
  const dataDir = await makeStoppedSite();
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(dataDir), (path) => void rendered.push(path));
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  expect(rendered).toEqual([]);
});

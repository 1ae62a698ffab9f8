import { profiles, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeDataDir, rendererWith, startWriting } from '../../testing/blog.ts';
import { pathsLoggedBy } from '../../testing/logged-paths.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';
import { listPaths, postPaths } from '../pages/post-paths.ts';
import { logAuthorPages } from './author-pages.ts';

const pathsOf = ({ deps: { db } }: TestApp, authorId: string): Promise<string[]> =>
  pathsLoggedBy(db, () => writeTransaction(db, (tx) => logAuthorPages(tx, 5, authorId)));

test('logs the lists and the pages of the author’s published posts', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  expect(await pathsOf(testApp, 'ann')).toEqual([]);
  await write('Sketch', { published: false });
  expect(await pathsOf(testApp, 'ann')).toEqual([]);
  await write('One');
  await write('Two');
  expect((await pathsOf(testApp, 'ann')).sort()).toEqual(
    [...listPaths, ...postPaths('one'), ...postPaths('two')].sort(),
  );
  expect(await pathsOf(testApp, 'bob')).toEqual([]);
});

test('lets other authors publish between the pages of many posts', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { db, publisher } = testApp.deps;
  await db.insert(users).values({ id: 'bob', email: 'bob@example.com', createdAt: 0 });
  const count = 100;
  const post = { title: 'T', excerpt: '', content: '', published: true, authorEmail: '' };
  await db.insert(blogPosts).values(
    Array.from({ length: count }, (_, i) => {
      const names = { id: `post-${i}`, slug: `post-${i}`, authorId: 'bob' };
      return { ...post, ...names, createdAt: i, updatedAt: i };
    }),
  );
  const paths = await pathsOf(testApp, 'bob');
  expect(paths).toHaveLength(2 * count + listPaths.length);
  // Newest first.
  expect(paths.indexOf(`/blog/post-${count - 1}`)).toBeLessThan(paths.indexOf('/blog/post-0'));

  let allDone = false;
  const behind = publisher.run().then(() => {
    allDone = true;
  });
  const { write } = await startWriting(testApp);
  const { publishing } = await write('In between');
  expect(publishing.state).toBe('live');
  expect(allDone).toBe(false);
  await behind;
  await publisher.settled();
  expect(publisher.depth()).toBe(0);
});

test('stopping waits for the running batch and leaves the others to the next start', async () => {
  const dataDir = makeDataDir();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  let isHeld = false;
  const renderer = rendererWith(makeRenderer(dataDir), () => {
    if (!isHeld) return;
    arrive();
    return released;
  });
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
    const { publisher, db } = testApp.deps;
    const { write } = await startWriting(testApp);
    for (let n = 0; n < 9; n += 1) await write(`Post ${n}`);
    await publisher.settled();
    db.update(profiles).set({ fullName: 'Ann Miller' }).where(eq(profiles.id, 'ann')).run();
    const paths = await pathsOf(testApp, 'ann');
    isHeld = true;
    const behind = publisher.run();
    await arrived;
    const stopping = publisher.stop();
    release();
    await stopping;
    await behind;
    expect(publisher.depth()).toBeGreaterThan(0);
    expect(publisher.depth()).toBeLessThan(paths.length);
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(testApp.deps.publisher.depth()).toBe(0);
});

import { profiles, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeDataDir, rendererWith, startWriting } from '../../testing/blog.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';
import { listPaths, postPaths } from '../pages/post-paths.ts';
import { insertAuthorJobs } from './author-jobs.ts';

const jobsOf = ({ deps: { db } }: TestApp, authorId: string) =>
  db.transaction((tx) => insertAuthorJobs(tx, 5, authorId), { behavior: 'immediate' });

test('queues the lists and the pages of the author’s published posts', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  expect(jobsOf(testApp, 'ann')).toEqual([]);
  await write('Sketch', { published: false });
  expect(jobsOf(testApp, 'ann')).toEqual([]);
  await write('One');
  await write('Two');
  const [job, ...others] = jobsOf(testApp, 'ann');
  expect(others).toEqual([]);
  expect(job).toEqual({
    id: expect.any(Number),
    paths: expect.any(Array),
    createdAt: 5,
  });
  expect(job?.paths.sort()).toEqual(
    [...listPaths, ...postPaths('one'), ...postPaths('two')].sort(),
  );
  expect(jobsOf(testApp, 'bob')).toEqual([]);
});

test('splits many posts into small jobs that let other authors publish in between', async () => {
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
  const jobs = jobsOf(testApp, 'bob');
  expect(jobs.map(({ paths }) => paths.length)).toEqual([
    ...Array.from({ length: 12 }, () => 16),
    14,
  ]);
  expect(new Set(jobs.flatMap(({ paths }) => paths)).size).toBe(2 * count + listPaths.length);
  // Newest first.
  expect(jobs[0]?.paths).toContain('/blog');
  expect(jobs[0]?.paths).toContain(`/blog/post-${count - 1}`);

  let allDone = false;
  const behind = publisher.publishInBackground(jobs).then((done) => {
    allDone = done;
  });
  const { write } = await startWriting(testApp);
  const { publishing } = await write('In between');
  expect(publishing.state).toBe('live');
  expect(allDone).toBe(false);
  await behind;
  expect(allDone).toBe(true);
  await publisher.settled();
  expect(publisher.depth()).toBe(0);
});

test('stopping waits for the running background job and leaves the others to the next start', async () => {
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
    const jobs = jobsOf(testApp, 'ann');
    expect(jobs).toHaveLength(2);
    isHeld = true;
    const behind = publisher.publishInBackground(jobs);
    await arrived;
    const stopping = publisher.stop();
    release();
    await stopping;
    expect(await behind).toBe(false);
    expect(publisher.depth()).toBe(1);
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(testApp.deps.publisher.depth()).toBe(0);
});

test('stopping leaves background jobs to the next start', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps } = testApp;
  const { write } = await startWriting(testApp);
  await write('One');
  const jobs = jobsOf(testApp, 'ann');
  await deps.publisher.stop();
  expect(await deps.publisher.publishInBackground(jobs)).toBe(false);
  expect(deps.publisher.depth()).toBe(1);
});

import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import { blogPosts } from '@app/db/schema/blog';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, passTime, rendererWith, shownAt, startWriting } from '../testing/blog.ts';
import { makeFailingApp, publishedPages, served, slugsOn, wantedPages } from '../testing/site.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { cardFor, makeRenderer, withCards } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';

test('removes a deleted post even if the page that replaces it cannot be rendered', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write, remove } = await startWriting(testApp);
  const { post } = await write('A', { slug: 'newer-sample' });
  // Without posts, the sample with this slug is back.
  failing.add('/blog/newer-sample');
  await remove(post);
  expect(await shownAt(testApp, '/blog/newer-sample')).toBeNull();
});

test('saves the row, serves the old page and reports it as pending if rendering fails', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  await testApp.deps.publisher.settled();
  failing.add('/blog/first');

  const saved = await change(post, { title: 'Edited' });
  await testApp.deps.publisher.settled();

  expect(saved.publishing).toEqual({
    state: 'pending',
    reason: '/blog/first could not be rendered.',
    pages: [{ path: '/blog/first', reason: 'could not be rendered.' }],
  });
  expect(await testApp.deps.db.select({ title: blogPosts.title }).from(blogPosts)).toEqual([
    { title: 'Edited' },
  ]);
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({ post: { title: 'First' } });
  expect([...testApp.deps.publisher.failures()]).toMatchObject([['/blog/first', { attempts: 1 }]]);
});

test('retries pending pages until they are live', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  failing.add('/blog/first');
  expect((await write('First')).publishing.state).toBe('pending');

  passTime(testApp, 10_000);
  await until(() => testApp.deps.publisher.failures().get('/blog/first')?.attempts === 2);
  failing.clear();
  passTime(testApp, 20_000);
  await until(() => testApp.deps.publisher.depth() === 0);

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await served(testApp, '/blog/first')).toContain('About First');
});

test('does not postpone the retry of a failed page when other changes fail on it earlier', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  await testApp.deps.publisher.settled();
  const failure = () => testApp.deps.publisher.failures().get('/blog/first');
  failing.add('/blog/first');
  await change(post, { title: 'Changed' });
  const first = failure();
  for (const title of ['Again', 'Once more']) {
    testApp.clock.move(1_000);
    expect((await change(post, { title })).publishing.state).toBe('pending');
  }
  await testApp.deps.publisher.settled();
  expect(failure()).toEqual(first);

  passTime(testApp, 8_000);
  await until(() => failure()?.attempts === 2);
  failing.clear();
  expect((await change(post, { title: 'At last' })).publishing.state).toBe('live');
  expect(failure()).toBeUndefined();
});

test('finds committed changes that were not published', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using testApp = await makeTestApp({ publishes: true });
  const { deps } = testApp;
  const { publisher } = deps;
  const fail = async () => {
    throw new Error('out of memory');
  };
  const failing = { ...publisher, publish: fail, wake: () => undefined };
  const { post } = await (await startWriting(testApp)).write('First');
  await publisher.settled();
  const { change } = await startWriting({ deps: { ...deps, publisher: failing } });
  const titleOf = async (path: string) => {
    const page = await shownAt(testApp, path);
    return page && 'post' in page ? page.post?.title : undefined;
  };

  await expect(change(post, { title: 'Edited' })).rejects.toThrow('out of memory');
  expect(await titleOf('/blog/first')).toBe('First');
  vi.advanceTimersByTime(10_000);
  await until(async () => (await titleOf('/blog/first')) === 'Edited');
  await until(() => publisher.depth() === 0);

  vi.spyOn(publisher.pages, 'prepare').mockImplementationOnce(fail);
  const { publishing } = await (await startWriting(testApp)).change(post, { title: 'Again' });
  expect(publishing).toMatchObject({ state: 'pending' });
  vi.advanceTimersByTime(10_000);
  await until(async () => (await titleOf('/blog/first')) === 'Again');
  await until(() => publisher.depth() === 0);
});

test('retries other pending pages while one always fails', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  failing.add('/blog/broken').add('/blog/sound');
  await write('Broken');
  await write('Sound');
  await testApp.deps.publisher.settled();
  expect(testApp.deps.publisher.depth()).toBe(2);

  failing.delete('/blog/sound');
  passTime(testApp, 10_000);
  await until(() => testApp.deps.publisher.depth() === 1);

  expect(await served(testApp, '/blog/sound')).toContain('About Sound');
});

test('retries a file that cannot be replaced', async () => {
  const { testApp } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  const obstacle = join(testApp.dataDir, 'site', 'blog', 'first.html');
  mkdirSync(obstacle);
  expect((await write('First')).publishing.state).toBe('pending');

  rmdirSync(obstacle);
  passTime(testApp, 10_000);
  await until(() => testApp.deps.publisher.depth() === 0);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('publishes the other pages of a change when some fail, and retries only the failed ones', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  await write('Older');
  await testApp.deps.publisher.settled();
  failing.add('/blog').add('/blog/rss.xml');

  const { publishing } = await write('First');

  expect(publishing).toMatchObject({
    state: 'live',
    path: '/blog/first',
    pending: [{ path: '/blog', reason: 'could not be rendered.' }],
  });
  expect(await slugsOn(testApp, '/blog/archive/2026-03')).toEqual(['first', 'older']);
  await testApp.deps.publisher.settled();
  const failed = () => [...testApp.deps.publisher.failures().keys()];
  expect(failed()).toEqual(['/blog', '/blog/rss.xml']);

  failing.delete('/blog');
  passTime(testApp, 10_000);
  await until(() => failed().length === 1);
  expect(await slugsOn(testApp, '/blog')).toEqual(['first', 'older']);
  expect(failed()).toEqual(['/blog/rss.xml']);
});

test('leaves no unhandled rejection when a write and a render fail at the same time', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write, remove } = await startWriting(testApp);
  await write('Older');
  const { post } = await write('First');
  await testApp.deps.publisher.settled();
  // A folder makes the write fail.
  mkdirSync(join(testApp.dataDir, 'site', '.new-blog.html'));
  failing.add('/blog/rss.xml').add('/blog/sitemap-2026-03.xml');
  const rendered = { reason: 'could not be rendered.' };
  const removed = await remove(post);
  expect(removed.state).toBe('removed');
  expect('pending' in removed && new Set(removed.pending)).toEqual(
    new Set([
      { path: '/blog/rss.xml', ...rendered },
      { path: '/blog/sitemap-2026-03.xml', ...rendered },
      { path: '/blog', reason: 'could not be written.' },
    ]),
  );
  expect(await slugsOn(testApp, '/blog/archive/2026-03')).toEqual(['older']);
});

test('retries with backoff, and reports it to health', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { clock, publisher } = testApp.deps;
  const { write } = await startWriting(testApp);
  const failure = () => publisher.failures().get('/blog/first');
  const waits: number[] = [];
  failing.add('/blog/first');
  await write('First');
  for (const attempts of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    await until(() => failure()?.attempts === attempts);
    const wait = (failure()?.nextAttemptAt ?? 0) - clock.now();
    waits.push(wait);
    passTime(testApp, wait);
  }
  const longest = [10, 20, 40, 80, 160, 320, 600, 600, 600].map((seconds) => seconds * 1_000);
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeLessThanOrEqual(longest[index] ?? 0);
    expect(wait).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2);
  }

  const health = async () => (await testApp.browser().get('/api/health')).json();
  expect(await health()).toMatchObject({
    status: 'degraded',
    problems: ['1 page could not be published, and will be retried.'],
  });
  // Other authors are not affected.
  expect((await write('Second')).publishing).toMatchObject({ state: 'live' });

  failing.clear();
  await until(() => failure()?.attempts === 10);
  passTime(testApp, 600_000);
  await until(() => testApp.deps.publisher.depth() === 0);
  expect(await health()).toMatchObject({ status: 'ok', problems: [] });
});

test('retries a page soon if its retry time was set while the clock was ahead', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  const twoYears = 2 * 365 * day;
  failing.add('/blog/first');
  testApp.clock.set(twoYears);
  await write('First');
  testApp.clock.set(-twoYears);
  failing.clear();
  passTime(testApp, 10_000);
  await until(() => testApp.deps.publisher.depth() === 0);
  expect(await served(testApp, '/blog/first')).toContain('About First');
});

test.each(['unpublished', 'deleted'])(
  'removes a post that is %s before it updates other pages, even if those fail',
  async (what) => {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let isHeld = false;
    const dataDir = makeDataDir();
    const { renderer } = withCards(makeRenderer(dataDir), dataDir);
    const held = rendererWith(renderer, (path) => {
      if (!isHeld) return;
      if (path !== '/blog') throw new Error('broken');
      arrived.resolve();
      return released.promise;
    });
    await using testApp = await makeTestApp({ publishes: true, dataDir, renderer: held });
    const { write, change, remove } = await startWriting(testApp);
    await write('Kept');
    const { post: named } = await write('First');
    const { post } = await change(named, { slug: 'renamed' });
    await testApp.deps.publisher.cardsSettled();
    const card = cardFor('First', '/blog/renamed').path;
    for (const path of ['/blog/renamed', card]) {
      expect(await served(testApp, path)).toBeDefined();
    }

    isHeld = true;
    const leaving =
      what === 'deleted'
        ? remove(post)
        : change(post, { published: false }).then(({ publishing }) => publishing);
    await arrived.promise;
    for (const path of ['/blog/renamed', card]) expect(await served(testApp, path)).toBeUndefined();
    for (const name of ['blog/first.html', 'blog/renamed.html', card]) {
      expect(existsSync(join(dataDir, 'site', name)), name).toBe(false);
    }

    released.reject(new Error('broken'));
    expect(await leaving).toMatchObject({ state: 'removed', pending: expect.any(Array) });
  },
);

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Post } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import { expect, test, vi } from 'vitest';
import {
  makeDataDir,
  rendererWith,
  shownAt,
  startWriting,
  startWritingAndCrash,
} from '../testing/blog.ts';
import {
  lists,
  monthsOn,
  oldFeed,
  publishedPages,
  redirectOf,
  served,
  slugsOn,
  wantedPages,
} from '../testing/site.ts';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';

test('publishes a post and its lists', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);

  const { post, publishing } = await write('First');

  const bytes = readFileSync(join(testApp.dataDir, 'site', 'blog', 'first.html'));
  expect(publishing).toEqual({
    state: 'live',
    path: '/blog/first',
    hash: createHash('sha256').update(bytes).digest('hex'),
    milliseconds: expect.any(Number),
    written: expect.arrayContaining(['/blog/first', '/blog']),
    removed: [],
  });
  expect(await served(testApp, '/blog/first')).toBe(bytes.toString());
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({ kind: 'post', post });
  await testApp.deps.publisher.settled();
  for (const path of lists) expect(await slugsOn(testApp, path), path).toEqual(['first']);
  for (const path of ['/blog/archive', '/sitemap.xml']) {
    expect(await monthsOn(testApp, path), path).toEqual(['2026-03']);
  }
});

test('reports what readers get if the loop finds a change before its request continues', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps } = testApp;
  const { publisher } = deps;
  // As on a replica, which may receive the commit before the request that wrote it continues.
  const { write, change } = await startWriting({
    deps: {
      ...deps,
      publisher: {
        ...publisher,
        publish: async (change) => {
          await publisher.run();
          return publisher.publish(change);
        },
      },
    },
  });
  const { post } = await write('First');
  const { publishing: written } = await change(post, { title: 'Edited' });
  expect(written).toMatchObject({ written: ['/blog/first', '/blog'], removed: [] });
  const { publishing } = await change(post, { published: false });
  expect(publishing).toMatchObject({ removed: expect.arrayContaining(['/blog/first']) });
});

test('loads the data of each page in a turn of its own, so that requests wait for one at most', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  const { pages } = testApp.deps.publisher;
  let turn = 0;
  const count = () => {
    turn += 1;
    next = setImmediate(count).unref();
  };
  let next = setImmediate(count).unref();
  const turns: number[] = [];
  const { at } = pages;
  vi.spyOn(pages, 'at').mockImplementation((path) => {
    turns.push(turn);
    return at(path);
  });

  await write('Tagged', { tags: ['a', 'b', 'c', 'd', 'e'] });
  await testApp.deps.publisher.settled();
  clearImmediate(next);

  expect(turns.length).toBeGreaterThan(10);
  expect(new Set(turns).size).toBe(turns.length);
});

test('renders no other pages until it has read back the published page', async () => {
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) => void rendered.push(path));
  await using testApp = await makeTestApp({ publishes: true, renderer });
  const { write } = await startWriting(testApp);
  await write('Older');
  await testApp.deps.publisher.settled();
  rendered.length = 0;

  await write('First');

  expect(rendered.sort()).toEqual(['/blog', '/blog/first']);
  await testApp.deps.publisher.settled();
  expect(rendered).toEqual(expect.arrayContaining(['/blog/older', '/blog/rss.xml']));
});

test('responds once the pages of the post and /blog are live; the others follow', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isHeld = false;
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) =>
    isHeld && !['/blog', '/blog/first'].includes(path) ? released : undefined,
  );
  await using testApp = await makeTestApp({ publishes: true, renderer });
  const { write, change } = await startWriting(testApp);
  await write('Older');
  const { post } = await write('First', { published: false });
  await testApp.deps.publisher.settled();
  isHeld = true;

  const { publishing } = await change(post, { published: true });

  expect(publishing).toMatchObject({ state: 'live', path: '/blog/first' });
  expect(await served(testApp, '/blog')).toContain('First');
  expect(await served(testApp, '/blog/rss.xml')).not.toContain('First');
  release();
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/blog/first.md')).toContain('First');
  expect(await served(testApp, '/blog/rss.xml')).toContain('First');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('serves the page of a post while /blog is still being rendered', async () => {
  const held = Promise.withResolvers<void>();
  let holds = false;
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) =>
    holds && path === '/blog' ? held.promise : undefined,
  );
  await using testApp = await makeTestApp({ publishes: true, renderer });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/blog/first')).toContain('About First');
  holds = true;
  const changing = change(post, { content: 'About something else' });
  try {
    await until(
      async () => (await served(testApp, '/blog/first'))?.includes('something else') === true,
    );
  } finally {
    held.resolve();
  }
  expect((await changing).publishing).toMatchObject({ state: 'live', path: '/blog/first' });
});

test('updates every page after an edit, including cached ones', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  for (const path of ['/blog/first', ...lists]) await testApp.deps.siteFiles.load(path);

  const { publishing } = await change(post, { title: 'Edited title', content: 'Edited text' });
  await testApp.deps.publisher.settled();

  const html = await served(testApp, '/blog/first');
  expect(html).toContain('Edited title');
  expect(publishing).toMatchObject({
    state: 'live',
    hash: createHash('sha256')
      .update(html ?? '')
      .digest('hex'),
  });
  expect(await served(testApp, '/blog')).toContain('Edited title');
  expect(await served(testApp, '/blog/rss.xml')).toContain('Edited text');
  expect(await served(testApp, '/blog/archive/2026-03')).toContain('Edited title');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test.each<[string, (post: Post, testApp: TestApp) => Promise<unknown>]>([
  [
    'unpublished',
    async (post, app) => (await startWriting(app)).change(post, { published: false }),
  ],
  ['deleted', async (post, app) => (await startWriting(app)).remove(post)],
])('removes all files and list entries of a post that is %s', async (_what, remove) => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post: retained } = await write('Retained');
  const { post } = await write('First');
  const { post: renamed } = await change(post, { slug: 'renamed' });
  await testApp.deps.siteFiles.load('/blog/renamed');

  await remove(renamed, testApp);

  const names = Object.keys(await publishedPages(testApp));
  expect(names.filter((name) => /first|renamed/.test(name))).toEqual([]);
  expect(await served(testApp, '/blog/renamed')).toBeUndefined();
  for (const path of lists) expect(await slugsOn(testApp, path), path).toEqual([retained.slug]);
});

test('lists the removed URLs in the response to removing a post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('First');
  await testApp.deps.publisher.settled();
  const gone = {
    state: 'removed',
    path: '/blog/first',
    removed: expect.arrayContaining(['/blog/first', '/blog/first.md']),
  };
  expect((await change(post, { published: false })).publishing).toMatchObject(gone);
  const { post: again } = await change(post, { published: true });
  await testApp.deps.publisher.settled();
  expect(await remove(again)).toMatchObject(gone);
});

test('lists the written and the removed URLs in the response to a rename', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  await testApp.deps.publisher.settled();

  const { publishing } = await change(post, { slug: 'renamed' });

  // The server redirects the old URLs. Their files are only for static hosts.
  expect(publishing).toMatchObject({
    state: 'live',
    written: ['/blog/renamed', '/blog'],
    removed: ['/blog/first', '/blog/first.md'],
  });
  for (const path of ['/blog/renamed', '/blog/first']) {
    const file = await testApp.deps.siteFiles.load(path);
    expect(file !== null, path).toBe(path === '/blog/renamed');
  }
});

test('never publishes a draft', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  await write('Public');
  const before = await publishedPages(testApp);

  const { post, publishing } = await write('Secret', { published: false });
  const renamed = await change(post, { slug: 'secret-too', content: 'Still secret' });
  const removed = await remove(renamed.post);

  expect([publishing, renamed.publishing, removed]).toEqual([
    { state: 'draft' },
    { state: 'draft' },
    { state: 'draft' },
  ]);
  expect(await publishedPages(testApp)).toEqual(before);
  await testApp.deps.publisher.settled();
  expect(testApp.deps.publisher.depth()).toBe(0);
});

test('sorts a published draft by its creation time', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Sketch', { published: false });
  testApp.clock.move(40 * day);
  await write('April');
  expect(await slugsOn(testApp, '/blog')).toEqual(['april']);

  await change(post, { published: true });
  expect(await slugsOn(testApp, '/blog')).toEqual(['april', 'sketch']);
  expect(await monthsOn(testApp, '/blog/archive')).toEqual(['2026-04', '2026-03']);
});

test("adds and removes a month's pages and index entries with its first and last post", async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, remove } = await startWriting(testApp);
  await write('March');
  testApp.clock.move(31 * day);
  const { post: first } = await write('April one');
  const { post: second } = await write('April two');
  const indexes = async () => ({
    archive: await monthsOn(testApp, '/blog/archive'),
    sitemap: await monthsOn(testApp, '/sitemap.xml'),
  });
  const both = ['2026-04', '2026-03'];
  expect(await indexes()).toEqual({ archive: both, sitemap: both });

  await remove(first);
  expect(await indexes()).toEqual({ archive: both, sitemap: both });
  await remove(second);
  expect(await indexes()).toEqual({ archive: ['2026-03'], sitemap: ['2026-03'] });
  expect(await shownAt(testApp, '/blog/archive/2026-04')).toBeNull();
  expect(await shownAt(testApp, '/blog/sitemap-2026-04.xml')).toBeNull();
});

test('lists the newest 12 posts on /blog and in the feed, all others in the archive', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  for (let n = 1; n <= 12; n += 1) {
    await write(`Post ${n}`);
    testApp.clock.move(1_000);
  }
  expect(await shownAt(testApp, '/blog')).toMatchObject({ hasOlder: false });

  await write('Post 13');
  expect(await shownAt(testApp, '/blog')).toMatchObject({ hasOlder: true });
  for (const path of ['/blog', '/blog/rss.xml']) {
    const slugs = await slugsOn(testApp, path);
    expect([slugs.length, slugs[0], slugs.at(-1)], path).toEqual([12, 'post-13', 'post-2']);
  }
  expect(await slugsOn(testApp, '/blog/archive/2026-03')).toHaveLength(13);
});

test('renders the same number of pages regardless of the number of posts', async () => {
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) => void rendered.push(path));
  await using testApp = await makeTestApp({ publishes: true, renderer });
  const { write, change } = await startWriting(testApp);
  const tags = ['One', 'Two', 'Three', 'Four', 'Five'];
  // The default excerpt would change with the content, also on the pages of the tags.
  const { post } = await write('First', { tags, excerpt: 'In short.' });
  await write('Next');
  const renderedBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    const { publisher } = testApp.deps;
    await publisher.settled();
    rendered.length = 0;
    await work();
    await publisher.settled();
    return [...rendered].sort();
  };
  const tagPaths = tags.map((tag) => `/blog/tag/${tag.toLowerCase()}`);
  const own = ['/blog/first', ...lists, oldFeed];
  const expected = [...own, '/blog/next', ...tagPaths].sort();
  expect(await renderedBy(() => change(post, { title: 'Edited' }))).toEqual(expected);
  expect(await renderedBy(() => change(post, { content: 'Edited' }))).toEqual(own.sort());
  for (let n = 1; n <= 30; n += 1) await write(`Post ${n}`, { tags });
  const months = tagPaths.map((path) => `${path}/2026-03`);
  expect(await renderedBy(() => change(post, { title: 'Again' }))).toEqual(
    [...expected, ...months].sort(),
  );
});

test('also publishes a post as Markdown, which is redirected and removed with its page', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('A', { content: '# As *written*' });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/blog/a.md')).toContain('# As *written*');
  const missing = await testApp.browser().get('/blog/none.md');
  expect(missing.status).toBe(404);

  const renamed = await change(post, { slug: 'b' });
  const { 'blog/a.md': moved } = await publishedPages(testApp);
  expect(moved).toContain('<http://localhost:4321/blog/b.md>');
  expect(await redirectOf(testApp, '/blog/a.md')).toBe('/blog/b.md');

  await change(post, { published: false });
  for (const path of ['/blog/a.md', '/blog/b.md']) {
    await testApp.deps.publisher.settled();
    expect(await redirectOf(testApp, path)).toBe(404);
  }
  await change(post, { published: true });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/blog/b.md')).toContain('# As *written*');
  await remove(renamed.post);
  expect(await served(testApp, '/blog/b.md')).toBeUndefined();
});

test('renders a Markdown page on request if its file could not be written yet', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWritingAndCrash(testApp);
  await write('A', { content: '# As *written*' });
  const page = await testApp.browser().get('/blog/a.md');
  expect(page.status).toBe(200);
  expect(page.headers.get('X-Robots-Tag')).toBe('noindex');
  expect(page.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
  expect(await page.text()).toContain('# As *written*');
});

test('redirects the old URL of the feed, where static hosts get a copy', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('A');
  expect(await redirectOf(testApp, oldFeed)).toBe('/blog/rss.xml');
  expect(await served(testApp, oldFeed)).toBeUndefined();
  expect(await shownAt(testApp, oldFeed)).toEqual(await shownAt(testApp, '/blog/rss.xml'));
});

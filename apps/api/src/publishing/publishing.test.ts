import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Post, PostSaved } from '@app/contract/blog/posts';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { publishJobs } from '@app/db/schema/publishing';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  makeDataDir,
  passTime,
  rendererWith,
  shownAt,
  startWriting,
  unlikeSiblings,
} from '../testing/blog.ts';
import { publishedPages, wantedPages } from '../testing/site.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../testing/test-app.ts';
import { cardFor, makeRenderer, testSamplePosts, withCards } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';

const day = 24 * 60 * 60 * 1_000;

async function served({ deps }: TestApp, path: string): Promise<string | undefined> {
  const file = await deps.siteFiles.load(path);
  return file?.representations.identity.body.toString();
}

/** In order. */
async function slugsOn(testApp: TestApp, path: string): Promise<string[]> {
  const page = await shownAt(testApp, path);
  return page && 'posts' in page ? page.posts.map(({ slug }) => slug) : [];
}

async function monthsOn(testApp: TestApp, path: string): Promise<string[]> {
  const page = await shownAt(testApp, path);
  return page && 'months' in page ? page.months : [];
}

const lists = [
  '/blog',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/blog/feed.json',
  '/llms.txt',
  '/blog/archive/2026-03',
  '/blog/sitemap-2026-03.xml',
];
/** The former URL of the feed: a file for static hosts, which the server redirects. */
const oldFeed = '/blog/feed.xml';

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
    written: expect.arrayContaining(['/blog/first', '/blog/first.md', '/blog']),
    removed: [],
  });
  expect(await served(testApp, '/blog/first')).toBe(bytes.toString());
  expect(await shownAt(testApp, '/blog/first')).toMatchObject({ kind: 'post', post });
  for (const path of lists) expect(await slugsOn(testApp, path), path).toEqual(['first']);
  for (const path of ['/blog/archive', '/sitemap.xml']) {
    expect(await monthsOn(testApp, path), path).toEqual(['2026-03']);
  }
});

test('responds after the pages of the post and /blog; the others follow', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isHeld = false;
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) =>
    isHeld && !['/blog', '/blog/first', '/blog/first.md'].includes(path) ? released : undefined,
  );
  await using testApp = await makeTestApp({ publishes: true, renderer });
  const { write, change } = await startWriting(testApp);
  await write('Older');
  const { post } = await write('First', { published: false });
  isHeld = true;

  const { publishing } = await change(post, { published: true });

  expect(publishing).toMatchObject({ state: 'live', path: '/blog/first' });
  expect(await served(testApp, '/blog')).toContain('First');
  expect(await served(testApp, '/blog/first.md')).toContain('First');
  expect(await served(testApp, '/blog/rss.xml')).not.toContain('First');
  release();
  await testApp.deps.publisher.backgroundDone();
  expect(await served(testApp, '/blog/rss.xml')).toContain('First');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('an edit updates every page, cached ones too', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  for (const path of ['/blog/first', ...lists]) await testApp.deps.siteFiles.load(path);

  const { publishing } = await change(post, { title: 'Edited title', content: 'Edited text' });
  await testApp.deps.publisher.backgroundDone();

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

test('keeps compressed siblings in sync after every change', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  expect(await unlikeSiblings(testApp)).toEqual([]);
  const first = await write('First');
  const second = await write('Second');
  await change(first.post, { title: 'Edited', slug: 'renamed' });
  await remove(second.post);
  expect(await unlikeSiblings(testApp)).toEqual([]);
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
  const { post: kept } = await write('Kept');
  const { post } = await write('First');
  const { post: renamed } = await change(post, { slug: 'renamed' });
  await testApp.deps.siteFiles.load('/blog/renamed');

  await remove(renamed, testApp);

  const names = Object.keys(await publishedPages(testApp));
  expect(names.filter((name) => /first|renamed/.test(name))).toEqual([]);
  expect(await served(testApp, '/blog/renamed')).toBeUndefined();
  for (const path of lists) expect(await slugsOn(testApp, path), path).toEqual([kept.slug]);
  expect(await unlikeSiblings(testApp)).toEqual([]);
});

test('the response to removing a post contains the removed URL', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('First');
  const gone = {
    state: 'removed',
    path: '/blog/first',
    removed: expect.arrayContaining(['/blog/first', '/blog/first.md']),
  };
  expect((await change(post, { published: false })).publishing).toMatchObject(gone);
  const { post: again } = await change(post, { published: true });
  expect(await remove(again)).toMatchObject(gone);
});

test('the response to a rename contains the written and the removed URLs', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  await testApp.deps.publisher.settled();

  const { publishing } = await change(post, { slug: 'renamed' });

  // Readers are redirected: the files at the old URLs are for static hosts.
  expect(publishing).toMatchObject({
    state: 'live',
    written: ['/blog/renamed', '/blog/renamed.md', '/blog'],
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
  expect(await testApp.deps.publisher.depth()).toBe(0);
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

test('shows sample posts until the first post is published', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const withSamples = await publishedPages(testApp);
  const sampleSlugs = testSamplePosts.map(({ slug }) => slug);
  expect(await slugsOn(testApp, '/blog')).toEqual(sampleSlugs);

  const { post } = await write('Sketch', { published: false });
  expect(await publishedPages(testApp)).toEqual(withSamples);

  await change(post, { published: true });
  expect(await slugsOn(testApp, '/blog')).toEqual(['sketch']);
  expect(await monthsOn(testApp, '/blog/archive')).toEqual(['2026-03']);
  expect(await monthsOn(testApp, '/sitemap.xml')).toEqual(['2026-03']);
  expect(await shownAt(testApp, '/blog/archive/2025-03')).toBeNull();
  // Their own pages stay.
  for (const slug of sampleSlugs) {
    expect(await shownAt(testApp, `/blog/${slug}`)).toMatchObject({ post: { isSample: true } });
  }
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));

  await change(post, { published: false });
  expect(await publishedPages(testApp)).toEqual(withSamples);
  await change(post, { published: true });
  await remove(post);
  expect(await publishedPages(testApp)).toEqual(withSamples);
});

test('a post replaces the sample with the same slug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  const [sample] = testSamplePosts;
  const { post } = await write('Ours', { slug: sample?.slug });
  expect(await shownAt(testApp, `/blog/${post.slug}`)).toMatchObject({ kind: 'post', post });
});

test('a draft hides the sample with the same slug until it is renamed', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const withSamples = await publishedPages(testApp);
  const [sample, other] = testSamplePosts;
  const { post } = await write('Ours', { slug: sample?.slug, published: false });
  expect(await shownAt(testApp, `/blog/${sample?.slug}`)).toBeNull();
  expect(await slugsOn(testApp, '/blog')).toEqual([other?.slug]);

  await change(post, { slug: 'elsewhere' });
  expect(await publishedPages(testApp)).toEqual(withSamples);

  // The old slug of a published post redirects to it.
  await change(post, { published: true });
  await until(async () => (await testApp.deps.publisher.depth()) === 0);
  expect(await shownAt(testApp, `/blog/${sample?.slug}`)).toEqual({
    kind: 'moved',
    to: 'elsewhere',
  });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
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
  const { post } = await write('First', { tags });
  await write('Next');
  const renderedBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    const { publisher } = testApp.deps;
    await publisher.backgroundDone();
    rendered.length = 0;
    await work();
    await publisher.backgroundDone();
    return [...rendered].sort();
  };
  const tagPaths = tags.map((tag) => `/blog/tag/${tag.toLowerCase()}`);
  const own = ['/blog/first', '/blog/first.md', ...lists, oldFeed];
  const expected = [...own, '/blog/next', ...tagPaths].sort();
  expect(await renderedBy(() => change(post, { title: 'Edited' }))).toEqual(expected);
  expect(await renderedBy(() => change(post, { content: 'Edited' }))).toEqual(own.sort());
  for (let n = 1; n <= 30; n += 1) await write(`Post ${n}`, { tags });
  const months = tagPaths.map((path) => `${path}/2026-03`);
  expect(await renderedBy(() => change(post, { title: 'Again' }))).toEqual(
    [...expected, ...months].sort(),
  );
});

/** Resolves when the redirect pages of old slugs are published too. */
const allPublished = ({ deps: { publisher } }: TestApp) =>
  until(async () => (await publisher.depth()) === 0);

async function redirectOf(testApp: TestApp, path: string, browser = testApp.browser()) {
  expect(await served(testApp, path), `${path} is not served as a file`).toBeUndefined();
  const response = await browser.get(path);
  return response.status === 301 ? response.headers.get('Location') : response.status;
}

test('redirects all old slugs of a post straight to the current one', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('A');
  await change(post, { slug: 'b' });
  expect(await shownAt(testApp, '/blog/a')).toEqual({ kind: 'moved', to: 'b' });
  expect(await redirectOf(testApp, '/blog/a')).toBe('/blog/b');

  const { publishing } = await change(post, { slug: 'c' });
  expect(publishing).toMatchObject({ state: 'live', path: '/blog/c' });
  await allPublished(testApp);
  for (const slug of ['a', 'b']) {
    expect(await shownAt(testApp, `/blog/${slug}`)).toEqual({ kind: 'moved', to: 'c' });
    expect(await redirectOf(testApp, `/blog/${slug}`)).toBe('/blog/c');
    expect(await redirectOf(testApp, `/%62log/${slug}`)).toBe('/blog/c');
  }
  expect(await slugsOn(testApp, '/blog/sitemap-2026-03.xml')).toEqual(['c']);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('a post is published as Markdown, too, and redirected and removed with its page', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('A', { content: '# As *written*' });
  expect(await shownAt(testApp, '/blog/a.md')).toMatchObject({ kind: 'postMarkdown', post });
  const served = await testApp.browser().get('/blog/none.md');
  expect(served.status).toBe(404);

  const renamed = await change(post, { slug: 'b' });
  expect(await shownAt(testApp, '/blog/a.md')).toEqual({ kind: 'movedMarkdown', to: 'b' });
  expect(await redirectOf(testApp, '/blog/a.md')).toBe('/blog/b.md');

  await change(post, { published: false });
  for (const path of ['/blog/a.md', '/blog/b.md']) {
    expect(await shownAt(testApp, path)).toBeNull();
    expect(await redirectOf(testApp, path)).toBe(404);
  }
  await change(post, { published: true });
  expect(await shownAt(testApp, '/blog/b.md')).toMatchObject({
    post: { content: '# As *written*' },
  });
  await remove(renamed.post);
  expect(await shownAt(testApp, '/blog/b.md')).toBeNull();
});

test('a Markdown page that could not be written yet is rendered', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  failing.add('/blog/a.md');
  await write('A');
  failing.clear();
  const page = await testApp.browser().get('/blog/a.md');
  expect(page.status).toBe(200);
  expect(page.headers.get('X-Robots-Tag')).toBe('noindex');
  expect(page.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
  expect(await page.text()).toContain('"kind":"postMarkdown"');
});

test('the former URL of the feed redirects, and is a copy for static hosts', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('A');
  expect(await redirectOf(testApp, oldFeed)).toBe('/blog/rss.xml');
  expect(await served(testApp, oldFeed)).toBeUndefined();
  expect(await shownAt(testApp, oldFeed)).toEqual(await shownAt(testApp, '/blog/rss.xml'));
});

test('a post can take back one of its old slugs', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('A');
  for (const slug of ['b', 'c', 'a']) await change(post, { slug });
  await allPublished(testApp);
  expect(await served(testApp, '/blog/a')).toContain('About A');
  for (const slug of ['b', 'c']) {
    expect(await redirectOf(testApp, `/blog/${slug}`)).toBe('/blog/a');
  }
  const { db } = testApp.deps;
  expect((await db.select().from(blogPostOldSlugs)).map(({ slug }) => slug).sort()).toEqual([
    'b',
    'c',
  ]);
});

test('redirects are not cached, since another post may take the slug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('A');
  await change(post, { slug: 'b' });
  const response = await testApp.browser().get('/blog/a');
  expect(response.headers.get('Cache-Control')).toBe('no-cache');
});

test('keeps 20 old slugs and drops the oldest', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Slug 0');
  for (let n = 1; n <= 22; n += 1) await change(post, { slug: `slug-${n}` });
  await allPublished(testApp);
  for (const n of [0, 1]) {
    expect(await redirectOf(testApp, `/blog/slug-${n}`)).toBe(404);
    expect(await shownAt(testApp, `/blog/slug-${n}`)).toBeNull();
  }
  for (const n of [2, 21])
    expect(await redirectOf(testApp, `/blog/slug-${n}`)).toBe('/blog/slug-22');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('does not touch old slugs when a save does not rename', async () => {
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) => void rendered.push(path));
  await using testApp = await makeTestApp({ publishes: true, renderer });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Slug 0');
  for (let n = 1; n <= 5; n += 1) await change(post, { slug: `slug-${n}` });
  await allPublished(testApp);
  rendered.length = 0;
  await change(post, { title: 'Edited', content: 'Edited' });
  await allPublished(testApp);
  expect(rendered.sort()).toEqual(['/blog/slug-5', '/blog/slug-5.md', ...lists, oldFeed].sort());
});

test('old slugs of a draft redirect its author only', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const call = async (method: string, path: string, body: object) =>
    (await (await ann.send(method, path, body)).json()) as PostSaved;
  const draft = { title: 'A', content: 'Text', published: true };
  const { post } = await call('POST', '/api/posts', draft);
  await call('PATCH', `/api/posts/${post.id}`, { slug: 'b' });
  await call('PATCH', `/api/posts/${post.id}`, { published: false });
  await allPublished(testApp);
  expect(await shownAt(testApp, '/blog/a')).toBeNull();
  expect(await redirectOf(testApp, '/blog/a')).toBe(404);
  expect(await redirectOf(testApp, '/blog/a', ann)).toBe('/blog/b');
  const forAnn = await ann.get('/blog/a');
  expect(forAnn.headers.get('Cache-Control')).toBe('private, no-store');

  await call('PATCH', `/api/posts/${post.id}`, { published: true });
  await allPublished(testApp);
  expect(await shownAt(testApp, '/blog/a')).toEqual({ kind: 'moved', to: 'b' });
  expect(await redirectOf(testApp, '/blog/a')).toBe('/blog/b');
});

test('old slugs of a deleted post are not found', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('A');
  const { post: renamed } = await change(post, { slug: 'b' });
  await remove(renamed);
  expect(await redirectOf(testApp, '/blog/a')).toBe(404);
  expect(await shownAt(testApp, '/blog/a')).toBeNull();
});

test('another post can take over an old slug until it is deleted', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('A');
  await change(post, { slug: 'b' });
  const { post: successor } = await write('A');
  expect(await shownAt(testApp, '/blog/a')).toMatchObject({ kind: 'post', post: successor });
  expect(await served(testApp, '/blog/a')).toBeDefined();
  await change(post, { title: 'Still at b' });
  expect(await shownAt(testApp, '/blog/a')).toMatchObject({ kind: 'post', post: successor });

  await remove(successor);
  expect(await shownAt(testApp, '/blog/a')).toEqual({ kind: 'moved', to: 'b' });
  expect(await redirectOf(testApp, '/blog/a')).toBe('/blog/b');
});

test('removes a deleted post although the page that replaces it fails', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('A');
  await change(post, { slug: 'b' });
  const { post: successor } = await write('A');
  failing.add('/blog/a');
  await remove(successor);
  expect(await shownAt(testApp, '/blog/a')).toBeNull();
});

async function makeFailingApp() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failing = new Set<string>();
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) => {
    if (failing.has(path)) throw new Error(`no page at ${path}`);
  });
  const testApp = await makeTestApp({ publishes: true, renderer });
  onTestFinished(() => testApp[Symbol.asyncDispose]());
  return { testApp, failing };
}

test('reports a failed render as pending, with the row saved and the old page served', async () => {
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
  expect(await testApp.deps.db.select().from(publishJobs)).toMatchObject([
    { paths: ['/blog/first'], attempts: 1, lastError: 'Error: no page at /blog/first' },
  ]);
});

test('retries pending pages until they are live', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  failing.add('/blog/first');
  expect((await write('First')).publishing.state).toBe('pending');

  passTime(testApp, 10_000);
  const attempts = () => testApp.deps.db.select({ n: publishJobs.attempts }).from(publishJobs);
  await until(async () => (await attempts())[0]?.n === 2);
  failing.clear();
  passTime(testApp, 20_000);
  await until(async () => (await testApp.deps.publisher.depth()) === 0);

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await served(testApp, '/blog/first')).toContain('About First');
});

test('a page that always fails does not block other pending pages', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  failing.add('/blog/broken.md').add('/blog/sound.md');
  await write('Broken');
  await write('Sound');
  await testApp.deps.publisher.settled();
  expect(await testApp.deps.publisher.depth()).toBe(2);

  failing.delete('/blog/sound.md');
  passTime(testApp, 10_000);
  await until(async () => (await testApp.deps.publisher.depth()) === 1);

  expect(await served(testApp, '/blog/sound.md')).toContain('About Sound');
});

test('retries a file that cannot be replaced', async () => {
  const { testApp } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  const obstacle = join(testApp.dataDir, 'site', 'blog', 'first.html');
  mkdirSync(obstacle);
  expect((await write('First')).publishing.state).toBe('pending');

  rmdirSync(obstacle);
  passTime(testApp, 10_000);
  await until(async () => (await testApp.deps.publisher.depth()) === 0);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('responds even when the failure cannot be recorded', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  failing.add('/blog/first');
  testApp.deps.db.$client.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON publish_jobs BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  expect((await write('First')).publishing.state).toBe('pending');
});

test('pages fail independently, and only failed ones stay in the jobs', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  await write('Older');
  failing.add('/blog').add('/blog/rss.xml');

  const { publishing } = await write('First');

  expect(publishing).toMatchObject({
    state: 'live',
    path: '/blog/first',
    pending: [{ path: '/blog', reason: 'could not be rendered.' }],
  });
  expect(await slugsOn(testApp, '/blog/archive/2026-03')).toEqual(['first', 'older']);
  await testApp.deps.publisher.settled();
  const jobs = () => testApp.deps.db.select({ paths: publishJobs.paths }).from(publishJobs);
  expect(await jobs()).toEqual([{ paths: ['/blog'] }, { paths: ['/blog/rss.xml'] }]);

  failing.delete('/blog');
  passTime(testApp, 10_000);
  await until(async () => (await jobs()).length === 1);
  expect(await slugsOn(testApp, '/blog')).toEqual(['first', 'older']);
  expect(await jobs()).toEqual([{ paths: ['/blog/rss.xml'] }]);
});

test('a failed write and a failed render at the same time leave no unhandled rejection', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write, remove } = await startWriting(testApp);
  await write('Older');
  const { post } = await write('First');
  await testApp.deps.publisher.settled();
  // A folder makes the write fail.
  mkdirSync(join(testApp.dataDir, 'site', '.new-blog.html'));
  failing.add('/blog/rss.xml').add('/blog/sitemap-2026-03.xml');
  const rendered = { reason: 'could not be rendered.' };
  expect(await remove(post)).toMatchObject({
    state: 'removed',
    pending: [
      { path: '/blog/rss.xml', ...rendered },
      { path: '/blog/sitemap-2026-03.xml', ...rendered },
      { path: '/blog', reason: 'could not be written.' },
    ],
  });
  expect(await slugsOn(testApp, '/blog/archive/2026-03')).toEqual(['older']);
});

test('retries with backoff, across restarts, and reports it to health', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { db, clock } = testApp.deps;
  const { write } = await startWriting(testApp);
  const job = async () => (await db.select().from(publishJobs))[0];
  const waits: number[] = [];
  failing.add('/blog/first.md');
  await write('First');
  for (const attempts of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    await until(async () => (await job())?.attempts === attempts);
    const wait = ((await job())?.nextAttemptAt ?? 0) - clock.now();
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
  // Another author does not notice.
  expect((await write('Second')).publishing).toMatchObject({ state: 'live' });

  failing.clear();
  await until(async () => (await job())?.attempts === 10);
  passTime(testApp, 600_000);
  await until(async () => (await testApp.deps.publisher.depth()) === 0);
  expect(await health()).toMatchObject({ status: 'ok', problems: [] });
});

test('retries a job at once that was scheduled by a clock ahead of time', async () => {
  const { testApp, failing } = await makeFailingApp();
  const { write } = await startWriting(testApp);
  failing.add('/blog/first');
  await write('First');
  const twoYears = 2 * 365 * day;
  await testApp.deps.db.update(publishJobs).set({ nextAttemptAt: testApp.clock.now() + twoYears });
  failing.clear();
  passTime(testApp, 10_000);
  await until(async () => (await testApp.deps.publisher.depth()) === 0);
  expect(await served(testApp, '/blog/first')).toContain('About First');
});

test.each(['unpublished', 'deleted'])(
  'removes a post that is %s first, whatever fails',
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
    const card = cardFor('First').path;
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

import type { Post, PostList } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { users } from '@app/db/schema/accounts';
import { blogPostBodies, blogPosts, blogPostTags } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { describe, expect, it, test, vi } from 'vitest';
import { makeDataDir, shownAt, startWriting } from '../../testing/blog.ts';
import { pathsLoggedBy } from '../../testing/logged-paths.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';
import { toTags } from '../posts/tags.ts';
import { logAuthorPages } from '../publishing/author-pages.ts';
import { detachPosts } from '../writing/detach-posts.ts';
import { createTagPages } from './tag-pages.ts';

async function titlesOn(testApp: TestApp, path: string): Promise<string[] | null> {
  const page = await shownAt(testApp, path);
  if (page?.kind !== 'tag' && page?.kind !== 'tagMonth') return null;
  return page.posts.map(({ title }) => title);
}

/** Waits for all jobs, and compares the files with those that the database requires. */
async function expectRightFiles(testApp: TestApp): Promise<void> {
  await testApp.deps.publisher.settled();
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
}

describe('the slug of a tag', () => {
  it.each([
    ['Heat pumps', 'heat-pumps'],
    ['  HVAC & more ', 'hvac-more'],
    ['Überlauf', 'uberlauf'],
    ['水道', 'shuidao'],
    ['Index', '49-6e-64-65-78'],
    ['\u{10fff0}a'.slice(0, 2), '10fff0'],
    ['C', 'c'],
    ['C++', 'c-plus-plus'],
    ['C#', 'c-sharp'],
    ['.NET', 'dot-net'],
    ['ASP.NET', 'aspnet'],
    ['Net', 'net'],
    ['R&D', 'r-and-d'],
    ['Web 2.0', 'web-2-dot-0'],
    ['Плюс+', 'plyus-plus'],
    ['#1', '1'],
    ['Plumbing.', 'plumbing'],
  ])('of %j is %s', async (name, slug) => {
    await using testApp = await makeTestApp();
    expect(await toTags(testApp.deps.db, [name])).toEqual([{ slug, name }]);
  });

  test('stays the same if it was published before symbols were spelled out', async () => {
    await using testApp = await makeTestApp();
    const { write, change } = await startWriting(testApp);
    const { post } = await write('First', { tags: ['C++'] });
    testApp.deps.db
      .update(blogPosts)
      .set({ tags: [{ slug: 'c', name: 'C++' }] })
      .run();
    const { post: changed } = await change(post, { tags: ['C++', 'C#'] });
    expect(changed.tags).toEqual([
      { slug: 'c', name: 'C++' },
      { slug: 'c-sharp', name: 'C#' },
    ]);
  });

  test('belongs to one tag, which keeps its first name', async () => {
    await using testApp = await makeTestApp();
    expect(await toTags(testApp.deps.db, ['Heat pumps', 'heat-pumps', 'HEAT PUMPS!'])).toEqual([
      { slug: 'heat-pumps', name: 'Heat pumps' },
    ]);
  });
});

test('a post appears on the pages of its tags, and disappears from them', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('First', { tags: 'Heat pumps, Winter' });
  testApp.clock.move(1_000);
  const { post: second } = await write('Second', { tags: ['winter'] });
  expect(second.tags).toEqual([{ slug: 'winter', name: 'Winter' }]);
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/winter')).toEqual(['Second', 'First']);
  expect(await shownAt(testApp, '/blog/tag/heat-pumps')).toMatchObject({
    tag: { slug: 'heat-pumps', name: 'Heat pumps' },
    posts: [{ slug: 'first' }],
    months: [],
  });
  expect(await shownAt(testApp, '/blog/sitemap-2026-03.xml')).toMatchObject({
    tags: ['winter', 'heat-pumps'],
  });

  await change(post, { tags: ['Winter', 'Cost'] });
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/heat-pumps')).toBeNull();
  expect(await titlesOn(testApp, '/blog/tag/cost')).toEqual(['First']);

  await change(post, { title: 'Renamed', slug: 'renamed' });
  await change(second, { published: false });
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/winter')).toEqual(['Renamed']);

  await remove(post);
  await expectRightFiles(testApp);
  for (const tag of ['winter', 'cost']) {
    const response = await testApp.browser().get(`/blog/tag/${tag}`);
    expect([tag, response.status]).toEqual([tag, 404]);
  }
});

test('a name can be corrected while no other post has the tag', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First', { tags: ['haet pumps', 'hvac'] });
  const { post: corrected } = await change(post, { tags: ['Heat pumps', 'HVAC'] });
  expect(corrected.tags.map(({ name }) => name)).toEqual(['Heat pumps', 'HVAC']);
  await write('Second', { tags: ['hvac'] });
  const { post: third } = await change(post, { tags: ['hvac'] });
  expect(third.tags).toEqual([{ slug: 'hvac', name: 'HVAC' }]);
});

test('a post returns from the trash to its tags', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const fields = { title: 'Back', content: 'Text', tags: ['Pipes'], published: true };
  const created = await ann.post('/api/posts', fields);
  const { post } = (await created.json()) as { post: { id: string } };
  await ann.send('DELETE', `/api/posts/${post.id}`, {});
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/pipes')).toBeNull();
  await ann.post(`/api/posts/${post.id}/restore`, {});
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/pipes')).toEqual(['Back']);
});

test('a tag has pages by month only while it has more posts than one page shows', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, remove } = await startWriting(testApp);
  const posts: Post[] = [];
  for (let n = 1; n <= limits.latestPosts; n += 1) {
    posts.push((await write(`Post ${n}`, { tags: ['Pipes'] })).post);
    testApp.clock.move(20 * day);
  }
  await expectRightFiles(testApp);
  const monthPages = async () =>
    Object.keys(await publishedPages(testApp)).filter((name) => name.startsWith('blog/tag/pipes/'));
  expect(await monthPages()).toEqual([]);

  const { post } = await write('One more', { tags: ['pipes'] });
  await expectRightFiles(testApp);
  expect(await monthPages()).toHaveLength(8);
  expect(await titlesOn(testApp, '/blog/tag/pipes/2026-03')).toEqual(['Post 2', 'Post 1']);
  expect(await shownAt(testApp, '/blog/tag/pipes')).toMatchObject({
    posts: { length: limits.latestPosts },
    months: { 0: '2026-10', 7: '2026-03' },
  });
  // A month without posts has no page.
  expect(await testApp.deps.publisher.pages.at('/blog/tag/pipes/2025-01')).toBeNull();

  const [first] = posts;
  if (first) await remove(first);
  await expectRightFiles(testApp);
  expect(await monthPages()).toEqual([]);
  await remove(post);
  await expectRightFiles(testApp);
});

test('a tag is in one sitemap, that of its oldest post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, remove, change } = await startWriting(testApp);
  const { post: first } = await write('First', { tags: ['Pipes'] });
  testApp.clock.move(40 * day);
  const { post: second } = await write('Second', { tags: ['Pipes', 'Cost'] });
  testApp.clock.move(40 * day);
  await write('Third', { tags: ['Pipes'] });
  const tagsIn = async (month: string) => {
    const page = await shownAt(testApp, `/blog/sitemap-${month}.xml`);
    return page?.kind === 'sitemapMonth' ? page.tags : null;
  };
  await expectRightFiles(testApp);
  expect([await tagsIn('2026-03'), await tagsIn('2026-04')]).toEqual([['pipes'], ['cost']]);
  expect(await tagsIn('2026-05')).toEqual([]);

  await change(first, { published: false });
  await expectRightFiles(testApp);
  expect(await tagsIn('2026-04')).toEqual(['pipes', 'cost']);
  await change(first, { published: true });
  await expectRightFiles(testApp);
  await remove(first);
  await remove(second);
  await expectRightFiles(testApp);
  expect(await tagsIn('2026-05')).toEqual(['pipes']);
});

test('removing many posts at once removes the pages by month', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  const { db, publisher, clock } = testApp.deps;
  for (let n = 1; n <= 20; n += 1) {
    await write(`Post ${n}`, { tags: ['Pipes'] });
    testApp.clock.move(10 * day);
  }
  await publisher.settled();
  // Another author wrote the first three.
  db.insert(users).values({ id: 'bob', email: 'bob@example.com', createdAt: 0 }).run();
  for (const n of [1, 2, 3]) {
    db.update(blogPosts)
      .set({ authorId: 'bob' })
      .where(eq(blogPosts.slug, `post-${n}`))
      .run();
  }
  await writeTransaction(db, (tx) => logAuthorPages(tx, clock.now(), 'bob'));
  await Array.fromAsync(detachPosts(testApp.deps, { userId: 'ann', posts: 'delete' }));
  await publisher.run();
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/pipes')).toEqual(['Post 3', 'Post 2', 'Post 1']);
});

test('publishes tag pages again when an author’s name changes', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('First', { tags: ['Pipes'] });
  const { db, clock } = testApp.deps;
  const paths = await pathsLoggedBy(db, () =>
    writeTransaction(db, (tx) => logAuthorPages(tx, clock.now(), 'ann')),
  );
  expect(paths).toContain('/blog/tag/pipes');
});

test('omits posts that cannot be rendered from tag pages', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First', { tags: ['Pipes'] });
  const { post: next } = await write('Next');
  await testApp.deps.publisher.settled();
  const { db } = testApp.deps;
  db.update(blogPostBodies)
    .set({ problem: 'too complex', html: null })
    .where(eq(blogPostBodies.postId, post.id))
    .run();
  const { pages } = testApp.deps.publisher;
  expect(await pages.at('/blog/tag/pipes')).toBeNull();
  expect([...(await pages.all())]).not.toContain('/blog/tag/pipes');
  expect(await pages.at(`/blog/${next.slug}`)).toMatchObject({
    data: { neighbors: { previous: null, next: null } },
  });

  await change(post, { content: 'Simple text' });
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/pipes')).toEqual(['First']);
});

test('the table of tags contains only published posts', async () => {
  await using testApp = await makeTestApp();
  const { write, change, remove } = await startWriting(testApp);
  const { post } = await write('Post', { tags: ['A', 'B'], published: false });
  const { db } = testApp.deps;
  const stored = () => db.select({ tag: blogPostTags.tag }).from(blogPostTags).all();
  expect(stored()).toEqual([]);
  await change(post, { published: true });
  expect(stored()).toEqual([{ tag: 'a' }, { tag: 'b' }]);
  db.update(blogPosts).set({ createdAt: 5 }).run();
  expect(db.select({ at: blogPostTags.createdAt }).from(blogPostTags).get()).toEqual({ at: 5 });
  await remove(post);
  expect(stored()).toEqual([]);
});

test('samples have tag pages until a post is published', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  expect(await titlesOn(testApp, '/blog/tag/phones')).toEqual(['Newer sample', 'Older sample']);
  expect(await shownAt(testApp, '/blog/older-sample')).toMatchObject({
    post: { tags: [{ slug: 'phones' }, { slug: 'writing' }] },
    neighbors: { previous: null, next: { slug: 'newer-sample' } },
  });
  const { write, remove } = await startWriting(testApp);
  const { post } = await write('Ours', { tags: ['Writing'] });
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/phones')).toBeNull();
  expect(await titlesOn(testApp, '/blog/tag/writing')).toEqual(['Ours']);
  expect(await shownAt(testApp, '/blog/older-sample')).toMatchObject({
    post: { tags: [] },
    neighbors: { previous: null, next: null },
  });
  await remove(post);
  await expectRightFiles(testApp);
  expect(await titlesOn(testApp, '/blog/tag/phones')).toHaveLength(2);
});

test('lists the posts with a tag page by page', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  for (let n = 1; n <= 21; n += 1) await write(`Post ${n}`, { tags: ['Pipes'] });
  await write('Other', { tags: ['Cost'] });
  await write('A draft', { tags: ['Pipes'], published: false });
  const read = async (query: string) =>
    (await (await testApp.browser().get(`/api/posts?${query}`)).json()) as PostList;
  const first = await read('tag=pipes');
  const second = await read(`tag=pipes&cursor=${first.nextCursor}`);
  expect([first.posts.length, first.posts[0]?.title]).toEqual([20, 'Post 21']);
  expect(second).toMatchObject({ posts: [{ title: 'Post 1' }], nextCursor: null });
  expect(await read('tag=none')).toEqual({ posts: [], nextCursor: null });
  const invalid = await testApp.browser().get('/api/posts?tag=pipes&cursor=x');
  expect(invalid.status).toBe(400);
});

test('lists the samples with a tag', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().get('/api/posts?tag=writing');
  expect(await response.json()).toMatchObject({ posts: [{ slug: 'older-sample' }] });
});

test('accepts tags as text, and rejects invalid ones', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const fields = { title: 'Title', content: 'Text', tags: 'Pipes, 水道', published: true };
  expect((await ann.post('/api/posts', fields)).status).toBe(201);
  const post = (await (await ann.get('/api/posts/title')).json()) as Post;
  expect(post).toMatchObject({ tags: [{ slug: 'pipes' }, { slug: 'shuidao', name: '水道' }] });

  const refused = await ann.send('PATCH', `/api/posts/${post.id}`, { tags: '!!!' });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ issues: [{ path: 'tags' }] });
  expect(await (await ann.get('/api/posts/title')).json()).toEqual(post);
});

test('queries for a tag’s posts do not sort, and do not read other tags', async () => {
  await using testApp = await makeTestApp();
  const { $client } = testApp.deps.db;
  const prepare = vi.spyOn($client, 'prepare');
  createTagPages(testApp.deps.db, { find: () => undefined, list: () => null });
  const sources = prepare.mock.calls.map(([source]) => source);
  prepare.mockRestore();
  expect(sources).toHaveLength(6);
  for (const source of sources) {
    const values = Array.from({ length: source.split('?').length - 1 }, () => null);
    const plan = $client.prepare(`EXPLAIN QUERY PLAN ${source}`).all(values);
    const details = (plan as { detail: string }[]).map(({ detail }) => detail);
    const ofTags = details.filter((detail) => detail.includes('blog_post_tags'));
    expect(ofTags).not.toEqual([]);
    for (const detail of ofTags) {
      expect(detail).toMatch(/^SEARCH blog_post_tags USING (?:COVERING )?INDEX \S+ \(tag[=>]/);
    }
    expect(details.join('; ')).not.toContain('TEMP B-TREE');
  }
});

test('a restart publishes nothing again', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWriting(testApp);
    for (let n = 1; n <= 14; n += 1) await write(`Post ${n}`, { tags: ['Pipes', `Tag ${n}`] });
    await testApp.deps.publisher.settled();
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(testApp.deps.publisher.depth()).toBe(0);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

import type { Post, PostList } from '@app/contract/blog/posts';
import { profiles } from '@app/db/schema/accounts';
import { describe, expect, test } from 'vitest';
import { shownAt } from '../../testing/blog.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';
import { testSamplePosts } from '../../testing/test-renderer.ts';
import { until } from '../../testing/until.ts';

async function write(browser: TestBrowser, fields: Partial<Post>): Promise<Post> {
  const response = await browser.post('/api/posts', {
    content: 'Text',
    published: true,
    ...fields,
  });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as { post: Post }).post;
}

async function list(browser: TestBrowser, query = ''): Promise<PostList> {
  return (await (await browser.get(`/api/posts${query}`)).json()) as PostList;
}

const titles = ({ posts }: PostList): string[] => posts.map(({ title }) => title);

test('returns a post by slug with its author’s public name only', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const written = await write(ann, {
    title: 'Hello, World!',
    coverImage: 'https://example.com/a.png',
  });
  await testApp.deps.db.update(profiles).set({ fullName: 'Ann Lee', avatarUrl: '/uploads/a.png' });

  const response = await testApp.browser().get('/api/posts/hello-world');

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    id: written.id,
    slug: 'hello-world',
    title: 'Hello, World!',
    excerpt: 'Text...',
    content: 'Text',
    coverImage: 'https://example.com/a.png',
    tags: [],
    published: true,
    scheduledAt: null,
    droppedSchedule: null,
    authorId: expect.any(String),
    author: { name: 'Ann Lee', fullName: 'Ann Lee', avatarUrl: '/uploads/a.png' },
    createdAt: '2026-03-01T12:00:00.000Z',
    updatedAt: '2026-03-01T12:00:00.000Z',
    version: 1,
  });
});

test('answers an unknown slug with 404', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().get('/api/posts/nothing-here');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found', detail: 'Blog post not found' });
});

test('lists posts newest first', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  for (const title of ['One', 'Two', 'Three']) {
    await write(ann, { title });
    testApp.clock.move(1_000);
  }
  const all = await list(testApp.browser());
  expect(titles(all)).toEqual(['Three', 'Two', 'One']);
  // With their content, a list of the longest posts would be 4 MB.
  for (const post of all.posts) expect(post).not.toHaveProperty('content');
});

test('cursors return every post once, even with equal times', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const written = await Promise.all(
    Array.from({ length: 45 }, (_, n) =>
      write(ann, { title: `Post ${n}`, published: n % 9 !== 0 }),
    ),
  );

  const visitor = testApp.browser();
  const read: string[] = [];
  let page = await list(visitor);
  const sizes = [page.posts.length];
  read.push(...titles(page));
  while (page.nextCursor !== null) {
    page = await list(visitor, `?cursor=${page.nextCursor}`);
    sizes.push(page.posts.length);
    read.push(...titles(page));
  }

  const published = written.filter((post) => post.published).map(({ title }) => title);
  expect(sizes).toEqual([20, 20]);
  expect(read.sort()).toEqual(published.sort());
});

test('a full last page has no cursor', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  await Promise.all(Array.from({ length: 20 }, (_, n) => write(ann, { title: `Post ${n}` })));
  expect(await list(testApp.browser())).toMatchObject({ nextCursor: null });
});

test('a new post does not shift the next page', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  for (let n = 0; n < 21; n += 1) {
    await write(ann, { title: `Post ${n}` });
    testApp.clock.move(1_000);
  }
  const { nextCursor } = await list(ann);
  await write(ann, { title: 'Meanwhile' });
  expect(titles(await list(ann, `?cursor=${nextCursor}`))).toEqual(['Post 0']);
});

test.each(['', 'nonsense', '!!!', 'MTIz', 'Li4u', 'x'.repeat(2_000)])(
  'rejects the cursor %j',
  async (cursor) => {
    await using testApp = await makeTestApp();
    const response = await testApp.browser().get(`/api/posts?cursor=${cursor}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_cursor' });
  },
);

test('lists drafts for their author on request', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await write(ann, { title: 'Public' });
  await write(ann, { title: 'Ann’s draft', slug: 'anns-draft', published: false });
  await write(bob, { title: 'Bob’s draft', slug: 'bobs-draft', published: false });

  expect(titles(await list(ann))).toEqual(['Public']);
  expect(titles(await list(ann, '?drafts=true')).sort()).toEqual(['Ann’s draft', 'Public']);
  expect(titles(await list(testApp.browser(), '?drafts=true'))).toEqual(['Public']);
});

test('returns a draft only to its author', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await write(ann, { title: 'Secret', published: false });
  const statusFor = async (browser: TestBrowser) => (await browser.get('/api/posts/secret')).status;

  expect(await statusFor(ann)).toBe(200);
  expect(await statusFor(bob)).toBe(404);
  expect(await statusFor(testApp.browser())).toBe(404);
});

test('falls back to the username', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { authorId, author } = await write(ann, { title: 'Title' });
  expect(author).toEqual({ name: 'Ann', fullName: 'Ann', avatarUrl: null });

  await ann.send('PATCH', '/api/profile', { username: 'ann.author', fullName: null });
  const named = { name: 'ann.author', fullName: null, avatarUrl: null };
  expect(await (await ann.get('/api/posts/title')).json()).toMatchObject({ author: named });
  expect(await (await ann.get(`/api/authors/${authorId}`)).json()).toEqual(named);
  await until(async () =>
    JSON.stringify(await shownAt(testApp, '/blog/title')).includes('"name":"ann.author"'),
  );
  await until(async () =>
    JSON.stringify(await shownAt(testApp, '/blog')).includes('"name":"ann.author"'),
  );
});

describe('the samples', () => {
  const slugs = testSamplePosts.map(({ slug }) => slug);
  const slugsIn = ({ posts }: PostList): string[] => posts.map(({ slug }) => slug);

  test('are listed until a post is published', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    await write(ann, { title: 'A draft', published: false });
    const { posts, nextCursor } = await list(testApp.browser());
    expect(posts).toMatchObject(slugs.map((slug) => ({ slug, isSample: true })));
    expect(nextCursor).toBeNull();

    await write(ann, { title: 'A post' });
    expect(slugsIn(await list(testApp.browser()))).toEqual(['a-post']);
  });

  test('are not listed among drafts', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    expect(await list(ann, '?drafts=true')).toEqual({ posts: [], nextCursor: null });
    await write(ann, { title: 'A draft', published: false });
    expect(slugsIn(await list(ann, '?drafts=true'))).toEqual(['a-draft']);
  });

  test('are returned by slug until a post has the same slug', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    await write(ann, { title: 'A post' });
    const [slug = ''] = slugs;
    const read = async () => (await testApp.browser().get(`/api/posts/${slug}`)).json();
    expect(await read()).toMatchObject({ slug, isSample: true });

    const { id } = await write(ann, { title: 'A draft', slug, published: false });
    expect(await read()).toMatchObject({ code: 'not_found' });
    await ann.send('PATCH', `/api/posts/${id}`, { published: true });
    const post = await read();
    expect(post).toMatchObject({ id });
    expect(post).not.toHaveProperty('isSample');
  });
});

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blogMessages, postFieldMessages } from '@app/contract/blog/messages';
import type { Post, PostSaved } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { blogPosts } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { settledRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  staffBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';
import { until } from '../../testing/until.ts';

async function create(browser: TestBrowser, fields: Partial<Post>): Promise<PostSaved> {
  const response = await browser.post('/api/posts', { title: 'Title', content: 'Text', ...fields });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as PostSaved;
}

async function change(browser: TestBrowser, id: string, fields: Partial<Post>): Promise<PostSaved> {
  const response = await browser.send('PATCH', `/api/posts/${id}`, fields);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as PostSaved;
}

async function expectSiteAsWanted(testApp: TestApp): Promise<void> {
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
}

test('a new post is a draft, which has no file', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const saved = await create(await signedInBrowser(testApp), { title: 'Hello, World!' });

  expect(saved.publishing).toEqual({ state: 'draft' });
  expect(saved.post).toMatchObject({ slug: 'hello-world', published: false, excerpt: 'Text...' });
  expect(existsSync(join(testApp.dataDir, 'site/blog/hello-world.html'))).toBe(false);
  await expectSiteAsWanted(testApp);
});

test('publishing returns the path and hash of the served page', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const saved = await create(await signedInBrowser(testApp), { published: true });

  const page = (await publishedPages(testApp))['blog/title.html'] ?? '';
  expect(saved.publishing).toEqual({
    state: 'live',
    path: '/blog/title',
    hash: createHash('sha256').update(page).digest('hex'),
    milliseconds: expect.any(Number),
    written: expect.arrayContaining(['/blog/title', '/blog']),
    removed: [],
  });
  expect(page).toContain('"content":"Text"');
  await testApp.deps.publisher.settled();
  expect(testApp.deps.publisher.depth()).toBe(0);
  await expectSiteAsWanted(testApp);
});

test('rejects text typed under another account', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await staffBrowser(testApp, 'bob@example.com');
  const { post } = await create(ann, { published: true });
  const text = { title: 'Of Ann', content: 'Typed.', account: post.authorId };

  for (const refused of [
    await bob.post('/api/posts', text),
    await bob.send('PATCH', `/api/posts/${post.id}`, text),
  ]) {
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'other_account' });
  }
  expect(await testApp.deps.db.select().from(blogPosts)).toMatchObject([
    { title: 'Title', version: 1 },
  ]);
  expect((await ann.send('PATCH', `/api/posts/${post.id}`, text)).status).toBe(200);
  expect((await ann.post('/api/posts', text)).status).toBe(201);
  const nothing = await ann.send('PATCH', `/api/posts/${post.id}`, { account: post.authorId });
  expect(nothing.status).toBe(422);
});

test('a change only affects the given fields', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, { published: true, coverImage: 'https://example.com/a.png' });
  testApp.clock.move(1_000);

  const { post: changed, publishing } = await change(ann, post.id, { title: 'New title' });

  expect(changed).toEqual({
    ...post,
    version: 2,
    title: 'New title',
    updatedAt: '2026-03-01T12:00:01.000Z',
  });
  expect(publishing.state).toBe('live');
  await expectSiteAsWanted(testApp);
});

test('a generated excerpt changes with the content, a written one does not', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, { content: 'First.' });
  const { post: changed } = await change(ann, post.id, { content: 'Second.' });
  expect(changed.excerpt).toBe('Second....');

  await change(ann, post.id, { excerpt: 'Written' });
  const { post: edited } = await change(ann, post.id, { content: 'Third.' });
  expect(edited.excerpt).toBe('Written');
});

test('generates an empty excerpt from the content, and removes an empty cover', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, { excerpt: 'Mine', coverImage: 'https://example.com/a.png' });
  const content = 'x'.repeat(200);
  const { post: changed } = await change(ann, post.id, { excerpt: '', coverImage: '', content });
  expect(changed).toMatchObject({ excerpt: `${'x'.repeat(150)}...`, coverImage: null });
});

test('unpublishing removes the page', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, { published: true });
  await testApp.deps.publisher.settled();

  const { publishing } = await change(ann, post.id, { published: false });

  expect(publishing).toEqual({
    state: 'removed',
    path: '/blog/title',
    milliseconds: expect.any(Number),
    written: expect.arrayContaining(['/blog', '/blog/rss.xml']),
    removed: expect.arrayContaining(['/blog/title', '/blog/title.md']),
  });
  expect(existsSync(join(testApp.dataDir, 'site/blog/title.html'))).toBe(false);
  await expectSiteAsWanted(testApp);
});

test('deleting a draft changes nothing public', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  await create(ann, { title: 'Stays', published: true });
  const { post } = await create(ann, { title: 'Goes' });
  const before = await publishedPages(testApp);

  const response = await ann.request('DELETE', `/api/posts/${post.id}`);

  expect(await response.json()).toEqual({ publishing: { state: 'draft' } });
  expect(await publishedPages(testApp)).toEqual(before);
});

test('the old slug of a renamed post redirects', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, { slug: 'one', published: true });
  await change(ann, post.id, { slug: 'two' });
  await change(ann, post.id, { slug: 'three' });
  const areAllPublished = () => testApp.deps.publisher.depth() === 0;
  await until(areAllPublished);

  const pages = await publishedPages(testApp);
  expect(pages['blog/one.html']).toContain('{"kind":"moved","to":"three"}');
  expect(pages['blog/two.html']).toContain('{"kind":"moved","to":"three"}');
  await expectSiteAsWanted(testApp);

  await change(ann, post.id, { slug: 'one' });
  await until(areAllPublished);
  expect((await publishedPages(testApp))['blog/one.html']).toContain('"kind":"post"');
  await expectSiteAsWanted(testApp);
});

test('renaming and publishing a draft in one change leaves the site as a restart would', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, { slug: 'working-title' });
  await change(ann, post.id, { slug: 'title', published: true });
  await expectSiteAsWanted(testApp);
});

test('rejects a taken slug without changes', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  await create(ann, { slug: 'taken', published: true });
  const { post } = await create(ann, { slug: 'mine', published: true });
  const rows = await settledRows(testApp);

  const created = await ann.post('/api/posts', { title: 'A', content: 'B', slug: 'taken' });
  const renamed = await ann.send('PATCH', `/api/posts/${post.id}`, { slug: 'taken' });

  for (const response of [created, renamed]) {
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: 'slug_taken',
      issues: [{ path: 'slug', message: blogMessages.slugTaken }],
    });
  }
  expect(await settledRows(testApp)).toEqual(rows);
  await expectSiteAsWanted(testApp);
});

test('saves only one of several concurrent posts with the same slug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      ann.post('/api/posts', { title: `Post ${n}`, content: 'Text', slug: 'one', published: true }),
    ),
  );

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
  expect(await testApp.deps.db.select().from(blogPosts)).toHaveLength(1);
  await expectSiteAsWanted(testApp);
});

test('only one of several concurrent renames to the same slug succeeds', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const created = await Promise.all(
    Array.from({ length: 10 }, (_, n) => create(ann, { title: `Post ${n}`, published: true })),
  );
  const responses = await Promise.all(
    created.map(({ post }) => ann.send('PATCH', `/api/posts/${post.id}`, { slug: 'one' })),
  );

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array<number>(9).fill(409)]);
  await expectSiteAsWanted(testApp);
});

test.each([
  [{ content: 'B' }, 'title', postFieldMessages.titleRequired],
  [{ title: ' ', content: 'B' }, 'title', postFieldMessages.titleRequired],
  [{ title: 'A' }, 'content', postFieldMessages.contentRequired],
  [{ title: 'A', content: ' \n ' }, 'content', postFieldMessages.contentRequired],
  [{ title: 'A', content: 'B', slug: 'No Spaces' }, 'slug', postFieldMessages.slugShape],
  [{ title: 'A', content: 'B', slug: '../../etc' }, 'slug', postFieldMessages.slugShape],
  [{ title: 'A', content: 'B', slug: 'editor' }, 'slug', postFieldMessages.slugReserved],
  [{ title: 'Archive', content: 'B' }, 'slug', postFieldMessages.slugReserved],
  [
    { title: 'A', content: 'B', coverImage: 'javascript:alert(1)' },
    'coverImage',
    messages.field.urlInvalid,
  ],
  [
    { title: 'A', content: 'B', excerpt: 'x'.repeat(501) },
    'excerpt',
    messages.field.tooLong(limits.excerpt),
  ],
])('rejects an invalid post and names the field: %j', async (body, path, message) => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const rows = await settledRows(testApp);

  const response = await ann.post('/api/posts', body);

  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: 'invalid_input',
    issues: [{ path, message }],
  });
  expect(await settledRows(testApp)).toEqual(rows);
});

test('rejects an empty change', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, {});
  const response = await ann.send('PATCH', `/api/posts/${post.id}`, {});
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    issues: [{ path: '', message: messages.field.nothingToChange }],
  });
});

test('saves the post and reports a page that fails to render', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'renderer-'));
  const working = makeRenderer(folder.path);
  let isBroken = false;
  await using testApp = await makeTestApp({
    publishes: true,
    renderer: {
      ...working,
      render: async (path, page) => {
        if (isBroken) throw new Error('out of ink');
        return working.render(path, page);
      },
    },
  });
  const ann = await signedInBrowser(testApp);
  await create(ann, { title: 'Older', published: true });
  await testApp.deps.publisher.settled();
  isBroken = true;

  const saved = await create(ann, { published: true });
  await testApp.deps.publisher.settled();

  expect(saved.publishing).toEqual({
    state: 'pending',
    reason: '/blog/title could not be rendered, nor could 1 other page.',
    pages: expect.arrayContaining([{ path: '/blog', reason: 'could not be rendered.' }]),
  });
  expect(saved.post).toMatchObject({ title: 'Title', published: true });
  const failures = Object.fromEntries(testApp.deps.publisher.failures());
  const failure = { attempts: 1 };
  for (const path of ['/blog/title', '/blog', '/blog/rss.xml']) {
    expect(failures[path], path).toMatchObject(failure);
  }
  expect((await testApp.browser().get('/api/posts/title')).status).toBe(200);
});

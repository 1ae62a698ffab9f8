import type { PostSaved } from '@app/contract/blog/posts';
import { blogPostOldSlugs } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import { makeDataDir, rendererWith, shownAt, startWriting } from '../../testing/blog.ts';
import {
  allPublished,
  lists,
  oldFeed,
  publishedPages,
  redirectOf,
  served,
  slugsOn,
  wantedPages,
} from '../../testing/site.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser } from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';

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

test('redirects are not cached, because the post can take back the slug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('A');
  await change(post, { slug: 'b' });
  const response = await testApp.browser().get('/blog/a');
  expect(response.headers.get('Cache-Control')).toBe('no-cache');
});

test('rejects a rename beyond 20 old slugs, so that none stops redirecting', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Slug 0');
  for (let n = 1; n <= 20; n += 1) await change(post, { slug: `slug-${n}` });
  await allPublished(testApp);
  const before = allRows(testApp.deps.db);

  await expect(change(post, { slug: 'slug-21' })).rejects.toThrow('refused: quota');

  expect(allRows(testApp.deps.db)).toEqual(before);
  for (const n of [0, 19]) {
    expect(await redirectOf(testApp, `/blog/slug-${n}`)).toBe('/blog/slug-20');
  }
  // It can take back an old one.
  await change(post, { slug: 'slug-0' });
  await allPublished(testApp);
  expect(await redirectOf(testApp, '/blog/slug-20')).toBe('/blog/slug-0');
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
  expect(rendered.sort()).toEqual(['/blog/slug-5', ...lists, oldFeed].sort());
});

test('old slugs of a draft redirect only for its author', async () => {
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

test('a slug that a post had stays that post’s until the post is permanently deleted', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const reply = await ann.post('/api/posts', { title: 'A', content: 'Text', published: true });
  const { post } = (await reply.json()) as PostSaved;
  const path = `/api/posts/${post.id}`;
  const own = (await (
    await bob.post('/api/posts', { title: 'Own', content: 'Text' })
  ).json()) as PostSaved;
  const expectTaken = async (...slugs: string[]) => {
    await testApp.deps.publisher.settled();
    const before = allRows(testApp.deps.db);
    for (const slug of slugs) {
      for (const refused of [
        await bob.post('/api/posts', { title: 'Mine', content: 'Text', slug, published: true }),
        await bob.send('PATCH', `/api/posts/${own.post.id}`, { slug }),
      ]) {
        expect([slug, refused.status]).toEqual([slug, 409]);
        expect(await refused.json()).toMatchObject({ code: 'slug_taken' });
      }
    }
    expect(allRows(testApp.deps.db)).toEqual(before);
  };

  await ann.send('PATCH', path, { slug: 'b' });
  await expectTaken('a', 'b');
  await ann.send('PATCH', path, { published: false });
  await expectTaken('a', 'b');
  await ann.request('DELETE', path);
  await expectTaken('a', 'b');
  const restored = (await (await ann.post(`${path}/restore`, {})).json()) as PostSaved;
  expect(restored.post.slug).toBe('b');
  await ann.request('DELETE', path);
  await ann.post(`${path}/delete-forever`, {});
  for (const slug of ['a', 'b']) {
    const created = await bob.post('/api/posts', { title: 'Mine', content: 'Text', slug });
    expect([slug, created.status]).toEqual([slug, 201]);
  }
});

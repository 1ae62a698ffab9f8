import type { Post, PostDeleted, PostRestored, PostSaved } from '@app/contract/blog/posts';
import { day, hour } from '@app/contract/durations';
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
import { emptyTrash } from './empty-trash.ts';

async function create(browser: TestBrowser, fields: object): Promise<Post> {
  const response = await browser.post('/api/posts', { title: 'Title', content: 'Text', ...fields });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as PostSaved).post;
}

const remove = (browser: TestBrowser, { id }: Pick<Post, 'id'>) =>
  browser.request('DELETE', `/api/posts/${id}`);
const restore = (browser: TestBrowser, { id }: Pick<Post, 'id'>) =>
  browser.request('POST', `/api/posts/${id}/restore`);
const erase = (browser: TestBrowser, { id }: Pick<Post, 'id'>) =>
  browser.request('POST', `/api/posts/${id}/delete-forever`);
const trashOf = async (browser: TestBrowser) => (await browser.get('/blog/trash')).text();
const countPosts = ({ deps }: TestApp) => deps.db.$count(blogPosts);

async function expectSiteAsWanted(testApp: TestApp): Promise<void> {
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
}

test('a deleted post is gone from the site at once, and comes back as it was', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id } = await create(ann, { published: true });
  await ann.send('PATCH', `/api/posts/${id}`, { slug: 'renamed' });
  const { post } = (await (
    await ann.send('PATCH', `/api/posts/${id}`, { excerpt: 'In short' })
  ).json()) as PostSaved;
  const before = await publishedPages(testApp);
  testApp.clock.move(day);

  const removed = await remove(ann, post);

  expect(((await removed.json()) as PostDeleted).publishing).toMatchObject({
    state: 'removed',
    path: '/blog/renamed',
  });
  expect(Object.keys(await publishedPages(testApp))).not.toContain('blog/renamed.html');
  await expectSiteAsWanted(testApp);
  expect((await ann.get('/blog/title')).status).toBe(404);

  const restored = (await (await restore(ann, post)).json()) as PostRestored;

  expect(restored).toEqual({
    post: { ...post, version: 5 },
    publishing: expect.objectContaining({ state: 'live', path: '/blog/renamed' }),
  });
  await testApp.deps.publisher.settled();
  expect(Object.keys(await publishedPages(testApp))).toEqual(Object.keys(before));
  await expectSiteAsWanted(testApp);
  expect((await ann.get('/blog/title')).headers.get('Location')).toBe('/blog/renamed');
});

test('a draft comes back as a draft', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const post = await create(ann, {});
  await remove(ann, post);

  expect(await (await restore(ann, post)).json()).toEqual({
    post: { ...post, version: 3 },
    publishing: { state: 'draft' },
  });
});

test('only the author and staff see a post in the trash, restore it and delete it forever', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const boss = await staffBrowser(testApp, 'boss@example.com');
  const draft = await create(ann, { title: 'Only a draft' });
  const published = await create(ann, { title: 'For everyone', published: true });
  expect((await remove(bob, draft)).status).toBe(404);
  expect((await remove(bob, published)).status).toBe(403);
  expect((await erase(ann, draft)).status).toBe(404);
  await remove(ann, draft);
  await remove(boss, published);

  for (const title of ['Only a draft', 'For everyone']) {
    expect(await trashOf(bob)).not.toContain(title);
    for (const browser of [ann, boss]) expect(await trashOf(browser)).toContain(title);
  }
  const before = await settledRows(testApp);
  for (const post of [draft, published]) {
    for (const act of [restore, erase]) {
      expect((await act(bob, post)).status).toBe(404);
      expect((await act(testApp.browser(), post)).status).toBe(401);
    }
  }
  expect(await settledRows(testApp)).toEqual(before);
  expect((await restore(ann, published)).status).toBe(200);
  expect((await restore(boss, draft)).status).toBe(200);
  expect((await restore(boss, draft)).status).toBe(404);
  for (const post of [draft, published]) await remove(ann, post);
  expect(await (await erase(ann, draft)).json()).toEqual({ erased: true });
  expect((await erase(boss, published)).status).toBe(200);
  expect(await countPosts(testApp)).toBe(0);
});

test('hides the trash from members with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { authoring: 'team' } });
  const boss = await staffBrowser(testApp, 'boss@example.com');
  const member = await signedInBrowser(testApp, 'member@example.com');
  const post = await create(boss, { published: true });
  await remove(boss, post);

  expect((await restore(member, post)).status).toBe(403);
  expect((await erase(member, post)).status).toBe(403);
  const page = await member.get('/blog/trash');
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/blog']);
  const visit = await testApp.browser().get('/blog/trash');
  expect(visit.headers.get('Location')).toContain('/auth?next=');
});

test('deletes a post permanently after 30 days', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps, clock } = testApp;
  const ann = await signedInBrowser(testApp);
  for (let n = 0; n < 25; n += 1) await remove(ann, await create(ann, { title: `Old ${n}` }));
  clock.move(1);
  await remove(ann, await create(ann, { title: 'Newer' }));

  clock.move(30 * day - 2);
  await emptyTrash(deps);
  expect(await countPosts(testApp)).toBe(26);
  clock.move(1);
  await emptyTrash(deps);
  expect(await countPosts(testApp)).toBe(1);
  expect(await trashOf(await signedInBrowser(testApp, 'bob@example.com'))).not.toContain('Newer');
});

test('a post deleted while the clock was ahead is kept for 30 days from now', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps, clock } = testApp;
  const ann = await signedInBrowser(testApp);
  clock.set(20 * day);
  expect((await remove(ann, await create(ann, {}))).status).toBe(200);
  clock.set(-20 * day);
  await emptyTrash(deps);

  clock.move(30 * day);
  await emptyTrash(deps);
  expect(await countPosts(testApp)).toBe(0);
});

test('the trash counts toward the quotas, and restoring counts as publishing', async () => {
  const quotas = { posts: 1, textBytes: 1e9, publishesPerHour: 1 };
  await using testApp = await makeTestApp({ publishes: true, settings: { quotas } });
  const ann = await signedInBrowser(testApp);
  const post = await create(ann, { published: true });
  await remove(ann, post);

  const more = await ann.post('/api/posts', { title: 'More', content: 'Text' });
  expect(await more.json()).toMatchObject({ code: 'quota_exceeded' });
  const refused = await restore(ann, post);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600']);
  testApp.clock.move(hour);
  expect((await restore(ann, post)).status).toBe(200);
});

test('paginates a long trash', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  for (let n = 0; n < 51; n += 1) {
    await remove(ann, await create(ann, { title: `Post ${n}!` }));
  }
  const first = await trashOf(ann);
  const cursor = /"nextCursor":"([^"]+)"/.exec(first)?.[1];

  expect(first).not.toContain('Post 0!');
  expect(await (await ann.get(`/blog/trash?cursor=${cursor}`)).text()).toContain('Post 0!');
  expect((await ann.get('/blog/trash?cursor=x')).headers.get('Location')).toBe('/blog/trash');
});

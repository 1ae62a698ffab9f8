import { blogMessages } from '@app/contract/blog/messages';
import type { PostSaved } from '@app/contract/blog/posts';
import type { PageData } from '@app/contract/pages';
import type { Problem } from '@app/contract/problems';
import { users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { publishedPages } from '../../testing/site.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

/** Ann's post, locked by Sam, who is staff. */
async function lockedPost(testApp: TestApp, more: object = {}) {
  const ann = await signedInBrowser(testApp);
  const sam = await signedInBrowser(testApp, 'sam@example.com');
  await sam.send('PATCH', '/api/profile', { username: 'sam_s' });
  const isSam = eq(users.email, 'sam@example.com');
  await testApp.deps.db.update(users).set({ role: 'staff' }).where(isSam);
  const fields = { title: 'Title', content: 'Text', published: true, ...more };
  const { post } = (await (await ann.post('/api/posts', fields)).json()) as PostSaved;
  const path = `/api/posts/${post.id}`;
  await ann.send('PATCH', path, { title: 'Title' });
  await testApp.deps.publisher.settled();
  const pages = await publishedPages(testApp);
  expect((await sam.post(`${path}/lock`, {})).status).toBe(200);
  return { ann, sam, post, path, pages };
}

async function pageOf(browser: TestBrowser, path: string): Promise<PageData> {
  const html = await (await browser.get(path)).text();
  return JSON.parse(/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? '') as PageData;
}

test('only staff can change a locked post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, sam, post, path } = await lockedPost(testApp);
  const changes: [string, string, object][] = [
    ['PATCH', path, { title: 'New' }],
    ['PATCH', path, { published: false }],
    ['DELETE', path, {}],
    ['POST', `${path}/revisions/1/restore`, { baseVersion: 2 }],
    ['PATCH', `${path}/revisions/1`, { name: 'Name' }],
  ];
  const before = allRows(testApp.deps.db);
  for (const [method, url, body] of changes) {
    const response = await ann.send(method, url, body);
    const { code, detail } = (await response.json()) as Problem;
    expect([url, response.status, code]).toEqual([url, 403, 'not_allowed']);
    expect(detail).toBe(blogMessages.lock.locked);
  }
  expect(allRows(testApp.deps.db)).toEqual(before);
  const form = await ann.submit(path, { published: 'false' });
  expect(form.headers.get('Location')).toBe(`/blog/editor/${post.slug}#locked`);
  const deletion = await ann.submit(`${path}/delete`, {});
  expect(deletion.headers.get('Location')).toBe(`/blog/editor/${post.slug}#locked`);

  // Text typed before the lock is not lost.
  const typed = { content: 'Typed', baseVersion: 2 };
  expect((await ann.send('PUT', `/api/posts/drafts/${post.id}`, typed)).status).toBe(200);

  expect((await sam.send('PATCH', path, { title: 'By staff' })).status).toBe(200);
  expect((await sam.post(`${path}/unlock`, {})).status).toBe(200);
  expect((await ann.send('PATCH', path, { title: 'By Ann' })).status).toBe(200);
});

test('only staff can restore or erase a locked post in the trash', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, sam, path } = await lockedPost(testApp);
  await sam.send('DELETE', path, {});
  for (const action of ['restore', 'delete-forever']) {
    const response = await ann.post(`${path}/${action}`, {});
    expect([action, response.status]).toEqual([action, 403]);
    const form = await ann.submit(`${path}/${action}`, {});
    expect([action, form.headers.get('Location')]).toEqual([action, '/blog/trash#locked']);
  }
  expect((await sam.post(`${path}/restore`, {})).status).toBe(200);
  expect((await ann.send('PATCH', path, { title: 'New' })).status).toBe(403);
});

test('only staff can lock and unlock, and readers see no difference', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, sam, path, pages } = await lockedPost(testApp);
  expect((await ann.post(`${path}/unlock`, {})).status).toBe(403);
  expect((await ann.post(`${path}/lock`, {})).status).toBe(403);
  expect((await sam.post('/api/posts/none/lock', {})).status).toBe(404);
  const [row] = await testApp.deps.db.select().from(blogPosts);
  expect(row?.lockedAt).toBe(testApp.clock.now());
  await testApp.deps.publisher.settled();
  expect(await publishedPages(testApp)).toEqual(pages);
  expect(row?.version).toBe(2);
});

test('the editor and the history show that a post is locked', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, sam, path, post } = await lockedPost(testApp);
  const lock = { lockedAt: new Date(testApp.clock.now()).toISOString(), lockedBy: 'sam_s' };
  const editor = `/blog/editor/${post.slug}`;
  expect(await pageOf(ann, editor)).toMatchObject({ access: { lock, isStaff: false } });
  expect(await pageOf(sam, editor)).toMatchObject({ access: { lock, isStaff: true } });
  expect(await pageOf(ann, `${editor}/history`)).toMatchObject({ lock, mayChange: false });
  expect(await pageOf(sam, `${editor}/history`)).toMatchObject({ lock, mayChange: true });
  const form = await sam.submit(`${path}/unlock`, {});
  expect(form.headers.get('Location')).toBe(editor);
  expect(await pageOf(ann, editor)).toMatchObject({ access: { lock: null } });
});

test('does not publish a locked draft at its scheduled time', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const scheduledAt = new Date(testApp.clock.now() + 60_000).toISOString();
  await lockedPost(testApp, { published: false, scheduledAt });
  testApp.clock.move(60_000);
  await testApp.deps.scheduler.publishDue();
  const [row] = await testApp.deps.db.select().from(blogPosts);
  expect([row?.published, row?.scheduledAt]).toEqual([false, null]);
});

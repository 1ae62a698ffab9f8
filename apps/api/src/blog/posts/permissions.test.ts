import type { PostSaved } from '@app/contract/blog/posts';
import { users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { settledRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

const newPost = { title: 'Title', content: 'Text' };

async function create(browser: TestBrowser, fields: object): Promise<string> {
  const response = await browser.post('/api/posts', { ...newPost, ...fields });
  return ((await response.json()) as PostSaved).post.id;
}

const makeStaff = ({ deps }: TestApp, email: string) =>
  deps.db.update(users).set({ role: 'staff' }).where(eq(users.email, email));

/** The statuses of all requests that can change a post. */
const tryAll = async (browser: TestBrowser, id: string): Promise<number[]> => {
  const change = { title: 'Changed' };
  const responses = [
    await browser.send('PATCH', `/api/posts/${id}`, change),
    await browser.post(`/api/posts/${id}`, change),
    await browser.post(`/api/posts/${id}/delete`, {}),
    await browser.request('DELETE', `/api/posts/${id}`),
  ];
  return responses.map(({ status }) => status);
};

test('rejects visitors without revealing whether a post exists', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const id = await create(await signedInBrowser(testApp), { published: true });
  const before = await settledRows(testApp);

  const visitor = testApp.browser();
  expect((await visitor.post('/api/posts', newPost)).status).toBe(401);
  expect(await tryAll(visitor, id)).toEqual([401, 401, 401, 401]);
  expect(await tryAll(visitor, 'no-such-id')).toEqual([401, 401, 401, 401]);
  expect(await settledRows(testApp)).toEqual(before);
});

test('signed-in users can change published posts', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const id = await create(await signedInBrowser(testApp, 'ann@example.com'), { published: true });
  const bob = await signedInBrowser(testApp, 'bob@example.com');

  const response = await bob.send('PATCH', `/api/posts/${id}`, { title: 'Bob was here' });

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ post: { title: 'Bob was here' } });
  expect((await bob.request('DELETE', `/api/posts/${id}`)).status).toBe(200);
});

test('hides drafts from others', async () => {
  await using testApp = await makeTestApp();
  const id = await create(await signedInBrowser(testApp, 'ann@example.com'), {});
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const before = await settledRows(testApp);

  expect(await tryAll(bob, id)).toEqual([404, 404, 404, 404]);
  expect(await settledRows(testApp)).toEqual(before);
});

test('staff can read and change every draft', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const id = await create(await signedInBrowser(testApp, 'ann@example.com'), {});
  const boss = await signedInBrowser(testApp, 'boss@example.com');
  await makeStaff(testApp, 'boss@example.com');

  expect((await boss.get('/api/posts/title')).status).toBe(200);
  expect((await boss.send('PATCH', `/api/posts/${id}`, { published: true })).status).toBe(200);
});

test('only staff can write with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { authoring: 'team' } });
  const boss = await signedInBrowser(testApp, 'boss@example.com');
  await makeStaff(testApp, 'boss@example.com');
  const member = await signedInBrowser(testApp, 'member@example.com');
  const id = await create(boss, { published: true });
  const before = await settledRows(testApp);

  const refused = await member.post('/api/posts', newPost);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'not_allowed' });
  expect(await tryAll(member, id)).toEqual([403, 403, 403, 403]);
  expect(await settledRows(testApp)).toEqual(before);
  expect(await tryAll(boss, id)).toEqual([200, 200, 200, 404]);
});

test('a writer can read and republish a post they unpublished', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const eve = await signedInBrowser(testApp, 'eve@example.com');
  const id = await create(ann, { published: true });

  await bob.send('PATCH', `/api/posts/${id}`, { published: false });

  expect((await bob.get('/blog/title')).status).toBe(200);
  expect(await (await bob.get('/blog/editor/title')).text()).toContain(`"id":"${id}"`);
  expect((await ann.get('/api/posts/title')).status).toBe(200);
  expect((await eve.get('/api/posts/title')).status).toBe(404);
  expect(await tryAll(eve, id)).toEqual([404, 404, 404, 404]);
  // The list contains only drafts that the user has written (spec §6).
  const drafts = await (await bob.get('/api/posts?drafts=true')).text();
  expect(drafts).not.toContain(id);
  expect((await bob.send('PATCH', `/api/posts/${id}`, { title: 'Better' })).status).toBe(200);
  expect((await bob.send('PATCH', `/api/posts/${id}`, { published: true })).status).toBe(200);
});

test('a post that its author unpublishes is readable only by the author', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const id = await create(ann, { published: true });
  await bob.send('PATCH', `/api/posts/${id}`, { published: false });

  await ann.send('PATCH', `/api/posts/${id}`, { published: true });
  await ann.send('PATCH', `/api/posts/${id}`, { published: false });

  expect((await bob.get('/api/posts/title')).status).toBe(404);
  expect(await tryAll(bob, id)).toEqual([404, 404, 404, 404]);
});

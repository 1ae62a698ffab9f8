import type { PostSaved } from '@app/contract/blog/posts';
import { blogPostRevisions } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import { operationsOf } from '../../docs/document.ts';
import { documentOf } from '../../testing/documented-responses.ts';
import { settledRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  setRole,
  signedInBrowser,
  staffBrowser,
  type TestBrowser,
} from '../../testing/test-app.ts';

const newPost = { title: 'Title', content: 'Text' };

async function create(browser: TestBrowser, fields: object): Promise<string> {
  const response = await browser.post('/api/posts', { ...newPost, ...fields });
  return ((await response.json()) as PostSaved).post.id;
}

/** The statuses of all requests that can change a post. */
const tryAll = async (browser: TestBrowser, id: string): Promise<number[]> => {
  const change = { title: 'Changed' };
  const responses = [
    await browser.send('PATCH', `/api/posts/${id}`, change),
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
  expect(await tryAll(visitor, id)).toEqual([401, 401]);
  expect(await tryAll(visitor, 'no-such-id')).toEqual([401, 401]);
  expect(await settledRows(testApp)).toEqual(before);
});

test('others cannot change a published post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const id = await create(await signedInBrowser(testApp, 'ann@example.com'), { published: true });
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const before = await settledRows(testApp);

  const response = await bob.send('PATCH', `/api/posts/${id}`, { title: 'Bob was here' });

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'not_allowed',
    detail: 'Only the author and the team can change this post',
  });
  expect(await tryAll(bob, id)).toEqual([403, 403]);
  expect(await settledRows(testApp)).toEqual(before);
});

test('hides drafts from others', async () => {
  await using testApp = await makeTestApp();
  const id = await create(await signedInBrowser(testApp, 'ann@example.com'), {});
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const before = await settledRows(testApp);

  expect(await tryAll(bob, id)).toEqual([404, 404]);
  expect(await settledRows(testApp)).toEqual(before);
});

test('staff can read and change every draft', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const id = await create(await signedInBrowser(testApp, 'ann@example.com'), {});
  const boss = await staffBrowser(testApp, 'boss@example.com');

  expect((await boss.get('/api/posts/title')).status).toBe(200);
  expect((await boss.send('PATCH', `/api/posts/${id}`, { published: true })).status).toBe(200);
});

test('only staff can write with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { authoring: 'team' } });
  const boss = await staffBrowser(testApp, 'boss@example.com');
  const member = await signedInBrowser(testApp, 'member@example.com');
  const id = await create(boss, { published: true });
  const before = await settledRows(testApp);

  const refused = await member.post('/api/posts', newPost);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'not_allowed' });
  expect(await tryAll(member, id)).toEqual([403, 403]);
  expect(await settledRows(testApp)).toEqual(before);
  expect(await tryAll(boss, id)).toEqual([200, 200]);
});

test('a post that its author or staff took down is a draft of the author', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const sam = await staffBrowser(testApp);
  const id = await create(ann, { published: true });
  for (const browser of [ann, sam]) {
    expect((await bob.send('PATCH', `/api/posts/${id}`, { published: false })).status).toBe(403);
    await browser.send('PATCH', `/api/posts/${id}`, { published: false });

    expect((await bob.send('PATCH', `/api/posts/${id}`, { published: true })).status).toBe(404);
    expect((await bob.get('/api/posts/title')).status).toBe(404);
    expect((await bob.get('/blog/title')).status).toBe(404);
    expect((await bob.get('/blog/editor/title')).status).toBe(404);
    expect(await tryAll(bob, id)).toEqual([404, 404]);
    const restored = await ann.send('PATCH', `/api/posts/${id}`, { published: true });
    expect(restored.status).toBe(200);
  }
});

test('a post without an author belongs to staff', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const sam = await staffBrowser(testApp);
  const id = await create(ann, { published: true });
  await ann.send('DELETE', '/api/account', { posts: 'keep' });

  expect(await tryAll(bob, id)).toEqual([403, 403]);
  expect((await sam.send('PATCH', `/api/posts/${id}`, { published: false })).status).toBe(200);
  expect(await tryAll(bob, id)).toEqual([404, 404]);
});

test('a role counts at the moment of use', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const sam = await staffBrowser(testApp);
  const id = await create(ann, {});
  expect((await sam.get(`/api/posts/${id}/revisions`)).status).toBe(200);
  setRole(testApp, 'sam@example.com', 'member');
  expect((await sam.get(`/api/posts/${id}/revisions`)).status).toBe(404);
  testApp.deps.settings.authoring = 'team';
  expect(await tryAll(ann, id)).toEqual([403, 403]);
  // Authors can still read their drafts.
  expect((await ann.get('/api/posts/title')).status).toBe(200);
});

test('the editor of another author’s post shows the post instead', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  await create(await signedInBrowser(testApp, 'ann@example.com'), { published: true });
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const page = await (await bob.get('/blog/editor/title')).text();
  expect(page).toContain('/blog/title of');
  expect(page).toContain('"insteadOfEditor":true');
  expect(page).not.toContain('"kind":"edit"');
});

test('no endpoint of a post lets a member do anything with the posts of others', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const published = await create(ann, { title: 'Published', published: true });
  const draft = await create(ann, { title: 'A draft' });
  const trashed = await create(ann, { title: 'Trashed', published: true });
  await ann.request('DELETE', `/api/posts/${trashed}`);
  const rows = async () => ({ ...(await settledRows(testApp)), rate_limits: [] });
  const before = await rows();
  const operations = operationsOf(await documentOf(testApp.app)).filter(
    ({ path }) => path.includes('/{post}') && path !== '/api/posts/{post}',
  );
  expect(operations.length).toBe(10);
  const requests = [
    ...operations.map(({ method, path, operation }) => {
      const body = operation.requestBody?.content['application/json']?.example;
      return [method, path.replace(/\{(?!post)\w+\}/g, '1'), body] as const;
    }),
    ['PATCH', '/api/posts/{post}', { title: 'Mine' }],
    ['DELETE', '/api/posts/{post}', undefined],
    ['POST', '/api/posts/preview', { post: '{post}', content: 'Text' }],
    ['POST', '/api/posts/presence', { post: '{post}' }],
    ['GET', '/api/posts/slugs/mine?post={post}', undefined],
    ['PUT', '/api/posts/drafts/{post}', { content: 'Text', baseVersion: 1 }],
  ] as const;
  for (const [method, path, body] of requests) {
    const isOfTrash = /restore$|delete-forever/.test(path) && !path.includes('revisions');
    for (const [id, status] of [
      [published, isOfTrash ? 404 : 403],
      [draft, 404],
      [trashed, 404],
    ] as const) {
      const url = path.replace('{post}', id);
      const sent = body && (JSON.parse(JSON.stringify(body).replace('{post}', id)) as object);
      const response = await bob.send(method, url, sent);
      expect([method, path, response.status]).toEqual([method, path, status]);
    }
  }
  expect(await rows()).toEqual(before);
});

test('nobody’s saves delete a named version, the published one, or another user’s last', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const sam = await staffBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const id = await create(ann, { content: 'Named' });
  const path = `/api/posts/${id}`;
  await ann.send('PATCH', `${path}/revisions/1`, { name: 'Mine' });
  await ann.send('PATCH', path, { content: 'Superseded' });
  await ann.send('PATCH', path, { content: 'Published', published: true });
  await ann.send('PATCH', path, { content: 'Last of Ann', published: false });
  const fill = async (browser: TestBrowser) => {
    const statuses = new Set<number>();
    for (let save = 0; save < 12; save += 1) {
      const content = `${save} ${'日本語 '.repeat(49_000)}`;
      statuses.add((await browser.send('PATCH', path, { content })).status);
    }
    return [...statuses];
  };
  expect(await fill(bob)).toEqual([404]);
  expect(await fill(sam)).toEqual([200]);

  const stored = testApp.deps.db.select().from(blogPostRevisions).all();
  const contents = stored.map(({ content }) => content).filter(({ length }) => length < 100);
  expect(contents.sort()).toEqual(['Last of Ann', 'Named', 'Published']);
  expect(stored.length).toBeLessThan(16);
});

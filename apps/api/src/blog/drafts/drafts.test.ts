import { randomUUID } from 'node:crypto';
import type { Draft, DraftList, DraftStored } from '@app/contract/blog/draft-replies';
import type { PostSaved } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import type { Problem } from '@app/contract/problems';
import { users } from '@app/db/schema/accounts';
import { blogPostDrafts, blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  makeTestApp,
  setRole,
  signedInBrowser,
  staffBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { emptyTrash } from '../trash/empty-trash.ts';
import { detachPosts } from '../writing/detach-posts.ts';
import { deleteOldDrafts } from './drafts.ts';
import { exampleDraft } from './routes.ts';

const urlOf = (id: string): string => `/api/posts/drafts/${id}`;

async function store(
  browser: TestBrowser,
  id: string,
  change: object = {},
): Promise<{ status: number; updatedAt: string | null; code?: string }> {
  const response = await browser.send('PUT', urlOf(id), { ...exampleDraft, ...change });
  return { status: response.status, ...((await response.json()) as DraftStored) };
}

const read = async (browser: TestBrowser, id: string): Promise<Draft> =>
  (await (await browser.get(urlOf(id))).json()) as Draft;

async function createPost(browser: TestBrowser, more: object = {}) {
  const fields = { title: 'Title', content: 'Text', excerpt: 'Excerpt', ...more };
  const response = await browser.post('/api/posts', fields);
  return ((await response.json()) as PostSaved).post;
}

test('stores unsaved text of a new post and of a post, without changing it', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const post = await createPost(ann);
  const id = randomUUID();

  const first = await store(ann, id, { title: '', slug: 'Not a slug!' });
  testApp.clock.move(1);
  const second = await store(ann, post.id, { baseVersion: post.version });

  expect(await read(ann, id)).toEqual({
    id,
    postId: null,
    baseVersion: null,
    fields: { ...exampleDraft, title: '', slug: 'Not a slug!' },
    updatedAt: first.updatedAt,
  });
  expect(await read(ann, post.id)).toMatchObject({
    id: post.id,
    postId: post.id,
    baseVersion: 1,
    updatedAt: second.updatedAt,
  });
  expect(await (await ann.get('/api/posts/title')).json()).toEqual(post);
  const { drafts } = (await (await ann.get('/api/posts/drafts')).json()) as DraftList;
  expect(drafts).toEqual([
    { id: post.id, postId: post.id, slug: 'title', title: 'Title', updatedAt: second.updatedAt },
    { id, postId: null, slug: null, title: '', updatedAt: first.updatedAt },
  ]);
});

test('a draft is visible only to its author, and each user has one per post', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await staffBrowser(testApp, 'bob@example.com');
  const post = await createPost(ann, { published: true });
  await store(ann, post.id, { content: 'Of Ann' });

  expect((await bob.get(urlOf(post.id))).status).toBe(404);
  await store(bob, post.id, { content: 'Of Bob' });
  await bob.request('DELETE', urlOf(post.id));

  expect((await read(ann, post.id)).fields.content).toBe('Of Ann');
  expect((await bob.get(urlOf(post.id))).status).toBe(404);
});

test('a save deletes the draft that it continues', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const draft = randomUUID();
  const { updatedAt: draftUpdatedAt } = await store(ann, draft);
  const post = await createPost(ann, { draft, draftUpdatedAt });
  const { updatedAt } = await store(ann, post.id);

  // The publish switch, and saves from elsewhere, do not continue it.
  await ann.send('PATCH', `/api/posts/${post.id}`, { published: true });
  await ann.send('PATCH', `/api/posts/${post.id}`, { title: 'New' });
  expect((await ann.get(urlOf(draft))).status).toBe(404);
  expect((await ann.get(urlOf(post.id))).status).toBe(200);

  await ann.send('PATCH', `/api/posts/${post.id}`, {
    draft: post.id,
    draftUpdatedAt: updatedAt,
    content: 'Finished',
  });
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toEqual([]);
});

test('a save keeps text that was stored since, unless it is the same text', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const draft = randomUUID();
  const { updatedAt: draftUpdatedAt } = await store(ann, draft);
  await store(ann, draft, { content: 'Newer' });
  const post = await createPost(ann, { draft, draftUpdatedAt });
  expect((await read(ann, draft)).fields.content).toBe('Newer');

  const same = { title: 'Same', slug: 'same', excerpt: '', content: 'Newer' };
  await store(ann, draft, { ...same, tags: '' });
  await createPost(ann, { ...same, draft });
  expect((await ann.get(urlOf(draft))).status).toBe(404);

  const change = async (fields: object) =>
    (await ann.send('PATCH', `/api/posts/${post.id}`, { draft: post.id, ...fields })).status;
  const { title, slug, excerpt } = post;
  testApp.clock.move(1);
  await store(ann, post.id, { title, slug, excerpt, tags: '', content: 'Newer' });
  expect(await change({ draftUpdatedAt, content: 'Saved' })).toBe(200);
  expect(await change({ content: 'Saved again' })).toBe(200);
  expect((await read(ann, post.id)).fields.content).toBe('Newer');
  expect(await change({ draftUpdatedAt, content: 'Newer' })).toBe(200);
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toEqual([]);
});

test('a refused save keeps the draft', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  await createPost(ann, { slug: 'taken' });
  const post = await createPost(ann);
  const { updatedAt: draftUpdatedAt } = await store(ann, post.id);

  const change = { draft: post.id, draftUpdatedAt, slug: 'taken' };
  expect((await ann.send('PATCH', `/api/posts/${post.id}`, change)).status).toBe(409);
  expect((await ann.get(urlOf(post.id))).status).toBe(200);
});

test('deletes the draft when the text is that of the post', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const post = await createPost(ann);
  await store(ann, post.id);

  const { title, content, slug, excerpt } = post;
  const stored = await store(ann, post.id, { title, content, slug, excerpt, tags: '' });
  expect(stored).toEqual({ status: 200, id: post.id, updatedAt: null });
  expect((await ann.get(urlOf(post.id))).status).toBe(404);
});

test('rejects text that does not continue the stored draft', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const id = randomUUID();
  const first = await store(ann, id, { previous: null });
  const second = await store(ann, id, { previous: first.updatedAt, content: 'Second' });
  expect(second.updatedAt).not.toBe(first.updatedAt);

  for (const previous of [null, first.updatedAt]) {
    const late = await store(ann, id, { previous, content: 'Late' });
    expect(late).toMatchObject({ status: 409, code: 'draft_changed' });
  }
  expect((await read(ann, id)).fields.content).toBe('Second');
});

test('discards only the text that was shown, not text that was stored since', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const id = randomUUID();
  const shown = await store(ann, id);
  const { updatedAt } = await store(ann, id, { content: 'Newer' });
  const discard = `?updatedAt=${shown.updatedAt}`;

  const refused = await ann.send('DELETE', urlOf(id) + discard, {});

  expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([
    409,
    'draft_changed',
  ]);
  expect((await read(ann, id)).fields.content).toBe('Newer');
  const discarded = await ann.send('DELETE', `${urlOf(id)}?updatedAt=${updatedAt}`, {});
  expect(await discarded.json()).toEqual({ discarded: true });
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toEqual([]);
});

test('rejects text typed under another account', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const [account] = await testApp.deps.db
    .select()
    .from(users)
    .where(eq(users.email, 'bob@example.com'));
  const id = randomUUID();

  expect(await store(ann, id, { account: account?.id })).toMatchObject({
    status: 403,
    code: 'other_account',
  });
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toEqual([]);
  expect(await store(bob, id, { account: account?.id })).toMatchObject({ status: 200 });
});

test('rejects drafts of posts that are missing or of others, and invalid ids', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const unpublished = await createPost(ann);

  for (const [id, change] of [
    [unpublished.id, { baseVersion: 1 }],
    [randomUUID(), { baseVersion: 1 }],
    ['title', {}],
  ] as const) {
    expect(await store(bob, id, change)).toMatchObject({ status: 404, code: 'not_found' });
  }
  await ann.send('PATCH', `/api/posts/${unpublished.id}`, { published: true });
  for (const change of [{ baseVersion: 2 }, {}]) {
    const refused = await store(bob, unpublished.id, change);
    expect(refused).toMatchObject({ status: 403, code: 'not_allowed' });
  }
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toEqual([]);
});

test('stores text of a post that the user can no longer change as that of a new post', async () => {
  await using testApp = await makeTestApp();
  const { ann, bob, post, ofPost } = await setUpTwoWriters(testApp);
  const previous = (await read(bob, post.id)).updatedAt;
  setRole(testApp, 'bob@example.com', 'member');
  expect(await store(bob, post.id, { baseVersion: 1, previous })).toMatchObject({ status: 403 });
  await ann.send('PATCH', ofPost, { published: false });
  expect(await store(bob, post.id, { baseVersion: 1, previous })).toMatchObject({ status: 404 });
  const { updatedAt } = await store(bob, post.id, { baseVersion: null, previous, content: 'Mine' });

  // It remains the draft of a new post when the post is published again.
  await ann.send('PATCH', ofPost, { published: true });
  const draftUpdatedAt = updatedAt ?? '';
  expect(await read(bob, post.id)).toMatchObject({ postId: null, updatedAt });
  const again = { baseVersion: null, previous: draftUpdatedAt, content: 'Mine.' };
  expect(await store(bob, post.id, again)).toMatchObject({ status: 200 });
  expect(await read(bob, post.id)).toMatchObject({ postId: null, fields: { content: 'Mine.' } });
});

test('only staff can store drafts with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const ann = await signedInBrowser(testApp);
  expect(await store(ann, randomUUID())).toMatchObject({ status: 403, code: 'not_allowed' });
  await testApp.deps.db.update(users).set({ role: 'staff' });
  expect(await store(ann, randomUUID())).toMatchObject({ status: 200 });
});

test('limits the number and total size of drafts, but not saving posts', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const id = randomUUID();
  await store(ann, id);
  const { db } = testApp.deps;
  await db.update(blogPostDrafts).set({ bytes: 10_485_000 });
  expect(await store(ann, randomUUID(), { content: 'x'.repeat(700) })).toMatchObject({
    status: 403,
    code: 'quota_exceeded',
  });
  // Replacing the existing draft stays within the limit.
  expect(await store(ann, id, { content: 'x'.repeat(700) })).toMatchObject({ status: 200 });
  for (let n = 1; n < 50; n += 1) await store(ann, randomUUID());

  expect(await store(ann, randomUUID())).toMatchObject({ status: 403, code: 'quota_exceeded' });
  expect(await createPost(ann)).toMatchObject({ title: 'Title' });
});

test('limits how often an account stores text', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const id = randomUUID();
  // As many as three tabs store in a minute.
  for (let n = 0; n < 90; n += 1) expect((await store(ann, id)).status).toBe(200);
  testApp.deps.db.$client.exec("UPDATE rate_limits SET count = 120 WHERE key LIKE 'drafts:%'");

  const response = await ann.send('PUT', urlOf(id), exampleDraft);
  expect([response.status, ((await response.json()) as Problem).code]).toEqual([
    429,
    'too_many_requests',
  ]);
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
});

test('deletes drafts after 90 days', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const [old, recent] = [randomUUID(), randomUUID()];
  await store(ann, old);
  testApp.clock.move(day);
  await store(ann, recent);
  testApp.clock.move(89.5 * day);

  await deleteOldDrafts(testApp.deps);
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toMatchObject([{ id: recent }]);
});

test('deletes drafts with their account', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const { db } = testApp.deps;
  const post = await createPost(ann, { published: true });
  setRole(testApp, 'bob@example.com', 'staff');
  for (const browser of [ann, bob]) await store(browser, post.id);
  await store(bob, randomUUID());

  await db.delete(users).where(eq(users.email, 'bob@example.com'));
  expect(await db.select().from(blogPostDrafts)).toHaveLength(1);
});

/** Ann and Bob, who is staff, both have unsaved text for a published post by Ann. */
async function setUpTwoWriters(testApp: TestApp) {
  const ann = await signedInBrowser(testApp);
  const bob = await staffBrowser(testApp, 'bob@example.com');
  const post = await createPost(ann, { published: true });
  await store(ann, post.id, { baseVersion: 1, content: 'Of Ann' });
  await store(bob, post.id, { baseVersion: 1, content: 'Of Bob' });
  return { ann, bob, post, ofPost: `/api/posts/${post.id}` };
}

test('deleting a post permanently deletes only the unsaved text of the user who does it', async () => {
  await using testApp = await makeTestApp();
  const { ann, bob, post, ofPost } = await setUpTwoWriters(testApp);
  await ann.request('DELETE', ofPost);
  expect((await ann.post(`${ofPost}/delete-forever`, {})).status).toBe(200);

  expect((await ann.get(urlOf(post.id))).status).toBe(404);
  expect(await read(bob, post.id)).toMatchObject({
    ...{ postId: null, baseVersion: null },
    fields: { content: 'Of Bob' },
  });
  const draft = { draft: post.id, draftUpdatedAt: (await read(bob, post.id)).updatedAt };
  expect(await createPost(bob, { ...draft, title: 'Of Bob' })).toMatchObject({ slug: 'of-bob' });
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toEqual([]);
});

test('keeps unsaved text when the trash is emptied', async () => {
  await using testApp = await makeTestApp();
  const { ann, ofPost } = await setUpTwoWriters(testApp);
  await ann.request('DELETE', ofPost);
  testApp.clock.move(30 * day);
  await emptyTrash(testApp.deps);

  const { db } = testApp.deps;
  expect(await db.select().from(blogPosts)).toEqual([]);
  const drafts = await db.select().from(blogPostDrafts);
  expect(drafts.map(({ postId, fields }) => [postId, fields.content])).toEqual([
    [null, 'Of Ann'],
    [null, 'Of Bob'],
  ]);
});

test('keeps the unsaved text of others when an author’s account is deleted with its posts', async () => {
  await using testApp = await makeTestApp();
  const { bob, post } = await setUpTwoWriters(testApp);
  const userId = post.authorId ?? '';
  for await (const _ of detachPosts(testApp.deps, { userId, posts: 'delete' }));
  await testApp.deps.db.delete(users).where(eq(users.id, userId));

  expect(await testApp.deps.db.select().from(blogPosts)).toEqual([]);
  expect(await read(bob, post.id)).toMatchObject({ fields: { content: 'Of Bob' } });
});

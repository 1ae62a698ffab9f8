import { accountMessages } from '@app/contract/accounts/messages';
import { blogMessages } from '@app/contract/blog/messages';
import type { PostSaved } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import { profiles, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { company } from '@app/site/company';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toIso } from '../../clock.ts';
import { passTimeAndPublish, shownAt } from '../../testing/blog.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, type TestApp, userOf } from '../../testing/test-app.ts';

const email = 'ann@example.com';
const nameless = (testApp: TestApp) => signedInBrowser(testApp, email, null);
const draft = { title: 'Title', content: 'Text' };

const withoutLimits = ({ rate_limits: _, ...rows }: ReturnType<typeof allRows>) => rows;

test('a member without a name can neither publish nor schedule, but save drafts', async () => {
  await using testApp = await makeTestApp();
  const ann = await nameless(testApp);
  const saved = await ann.post('/api/posts', draft);
  expect(saved.status).toBe(201);
  const { post } = (await saved.json()) as PostSaved;
  const scheduledAt = toIso(testApp.clock.now() + day);
  const before = withoutLimits(allRows(testApp.deps.db));
  const attempts = [
    ['POST', '/api/posts', { ...draft, title: 'Other', published: true }],
    ['POST', '/api/posts', { ...draft, title: 'Other', scheduledAt }],
    ['PATCH', `/api/posts/${post.id}`, { published: true }],
    ['PATCH', `/api/posts/${post.id}`, { published: true, title: 'New' }],
    ['PATCH', `/api/posts/${post.id}`, { scheduledAt }],
  ] as const;
  for (const [method, path, body] of attempts) {
    const response = await ann.send(method, path, body);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      code: 'name_required',
      detail: blogMessages.nameRequired.detail,
    });
  }
  expect(withoutLimits(allRows(testApp.deps.db))).toEqual(before);
  expect((await ann.send('PATCH', `/api/posts/${post.id}`, { content: 'More' })).status).toBe(200);
});

test.each([{ fullName: 'Ann Author' }, { username: 'ann.author' }])(
  'a member with %j can publish',
  async (name) => {
    await using testApp = await makeTestApp();
    const ann = await nameless(testApp);
    await ann.send('PATCH', '/api/profile', name);
    const response = await ann.post('/api/posts', { ...draft, published: true });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      post: { author: { name: Object.values(name)[0] } },
    });
  },
);

test('invisible characters are not a name', async () => {
  await using testApp = await makeTestApp();
  const ann = await nameless(testApp);
  await ann.send('PATCH', '/api/profile', { fullName: '\u3164\u115f \u200b' });
  expect((await ann.post('/api/posts', { ...draft, published: true })).status).toBe(403);
});

test('a published post does not come back from the trash without a name', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { post } = (await (
    await ann.post('/api/posts', { ...draft, published: true })
  ).json()) as PostSaved;
  await ann.send('DELETE', `/api/posts/${post.id}`, undefined);
  await ann.send('PATCH', '/api/profile', { fullName: null });
  const refused = await ann.post(`/api/posts/${post.id}/restore`, {});
  expect(await refused.json()).toMatchObject({ code: 'name_required' });
  await ann.send('PATCH', '/api/profile', { fullName: 'Ann' });
  expect((await ann.post(`/api/posts/${post.id}/restore`, {})).status).toBe(200);
});

test('staff without a name publish as the company, as long as they are staff', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { db } = testApp.deps;
  const boss = await nameless(testApp);
  db.update(users).set({ role: 'staff' }).where(eq(users.email, email)).run();
  const response = await boss.post('/api/posts', { ...draft, published: true });
  expect(await response.json()).toMatchObject({ post: { author: { name: company.name } } });
  expect(await shownAt(testApp, '/blog/title')).toMatchObject({
    post: { author: { name: company.name } },
  });

  db.update(users).set({ role: 'member' }).where(eq(users.email, email)).run();
  expect(await (await boss.get('/api/posts/title')).json()).toMatchObject({
    author: { name: blogMessages.guestAuthor },
  });
});

test('a member whose name is on posts can change it, but not remove it', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const created = await ann.post('/api/posts', { ...draft, published: true });
  const { post } = (await created.json()) as PostSaved;
  const scheduledAt = toIso(testApp.clock.now() + day);
  const states = [
    { published: true },
    { published: false, scheduledAt },
    { published: true },
  ] as const;
  for (const change of states) {
    expect((await ann.send('PATCH', `/api/posts/${post.id}`, change)).status).toBe(200);
    const before = withoutLimits(allRows(testApp.deps.db));
    for (const fullName of [null, '', ' \u3164']) {
      const response = await ann.send('PATCH', '/api/profile', { fullName });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        issues: [{ path: 'fullName', message: accountMessages.profile.nameNeeded }],
      });
    }
    expect(withoutLimits(allRows(testApp.deps.db))).toEqual(before);
  }
  expect((await ann.send('PATCH', '/api/profile', { fullName: 'Ann B' })).status).toBe(200);
  const renamed = await ann.send('PATCH', '/api/profile', { fullName: null, username: 'ann.b' });
  expect(renamed.status).toBe(200);
  expect(await (await testApp.browser().get('/api/posts/title')).json()).toMatchObject({
    author: { name: 'ann.b' },
  });
});

test('members whose drafts nobody sees, and staff, may remove their name', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const created = await ann.post('/api/posts', { ...draft, published: true });
  const { post } = (await created.json()) as PostSaved;
  await ann.send('PATCH', `/api/posts/${post.id}`, { published: false });
  expect((await ann.send('PATCH', '/api/profile', { fullName: null })).status).toBe(200);

  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  await ann.send('PATCH', '/api/profile', { fullName: 'Ann' });
  await ann.send('PATCH', `/api/posts/${post.id}`, { published: true });
  expect((await ann.send('PATCH', '/api/profile', { fullName: null })).status).toBe(200);
});

test('posts that members without a name have published are not shown as the company’s', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { db } = testApp.deps;
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { ...draft, published: true });
  // As before a name was needed.
  db.update(profiles).set({ fullName: null }).run();
  const guest = { name: blogMessages.guestAuthor, fullName: null, avatarUrl: null };
  const { id } = (await userOf(ann)) ?? { id: '' };

  const visitor = testApp.browser();
  expect(await (await visitor.get('/api/posts/title')).json()).toMatchObject({ author: guest });
  expect(await (await visitor.get(`/api/authors/${id}`)).json()).toEqual(guest);
  for (const path of ['/blog/title', '/blog', '/blog/rss.xml', '/blog/feed.json']) {
    const shown = JSON.stringify(await shownAt(testApp, path));
    expect([path, shown]).toEqual([path, expect.not.stringContaining(`"name":"${company.name}"`)]);
  }
  // Changing it needs no name: it is published already.
  const { id: post = '' } = db.select({ id: blogPosts.id }).from(blogPosts).get() ?? {};
  expect((await ann.send('PATCH', `/api/posts/${post}`, { content: 'More' })).status).toBe(200);
});

test('posts of deleted accounts are not shown as the company’s', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { ...draft, published: true });
  const deleted = await ann.send('DELETE', '/api/account', { posts: 'keep' });
  expect(deleted.status).toBeLessThan(300);
  expect(await (await testApp.browser().get('/api/posts/title')).json()).toMatchObject({
    author: { name: blogMessages.guestAuthor },
  });
  expect(await shownAt(testApp, '/blog/title')).toMatchObject({
    post: { author: { name: blogMessages.guestAuthor } },
  });
});

test('a post that was scheduled with a name does not become the company’s without one', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { ...draft, scheduledAt: toIso(testApp.clock.now() + day) });
  testApp.deps.db.update(profiles).set({ fullName: null }).run();
  await passTimeAndPublish(testApp, 2 * day);
  expect(await shownAt(testApp, '/blog/title')).toMatchObject({
    post: { author: { name: blogMessages.guestAuthor } },
  });
});

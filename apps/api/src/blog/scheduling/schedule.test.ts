import type { PostList } from '@app/contract/blog/posts';
import { day, minute } from '@app/contract/durations';
import type { Problem } from '@app/contract/problems';
import { expect, test } from 'vitest';
import { passTimeAndPublish, shownAt } from '../../testing/blog.ts';
import {
  changePost,
  createPost,
  findPost,
  inFuture,
  isLive,
  startScheduling,
} from '../../testing/scheduling.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { settledRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';

test('only users who can read the draft see that it is scheduled', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const scheduledAt = inFuture(testApp, day);
  await createPost(ann, { scheduledAt });
  const list = async (browser: TestBrowser) =>
    (await (await browser.get('/api/posts?drafts=true')).json()) as PostList;
  expect((await list(ann)).posts).toMatchObject([{ slug: 'frost', scheduledAt }]);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  expect((await list(bob)).posts).toEqual([]);
});

test.each([
  ['in the past', -1, 'Choose a time in the future.'],
  ['in two years', 731 * day, 'Choose a time within a year.'],
])('refuses a time %s, and changes nothing', async (_what, milliseconds, message) => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, {});
  const before = await settledRows(testApp);
  const body = { scheduledAt: inFuture(testApp, milliseconds) };
  for (const response of [
    await ann.send('PATCH', `/api/posts/${post.id}`, body),
    await ann.post('/api/posts', { title: 'New', content: 'Text', ...body }),
  ]) {
    expect(response.status).toBe(422);
    expect(((await response.json()) as Problem).issues).toEqual([{ path: 'scheduledAt', message }]);
  }
  expect(await settledRows(testApp)).toEqual(before);
});

test.each(['', 'tomorrow', '2026-02-30', '2026-99-01T00:00:00Z', 'x'.repeat(10_000), 7, {}])(
  'rejects an invalid time: %s',
  async (scheduledAt) => {
    const { testApp, ann } = await startScheduling();
    await using _ = testApp;
    const post = await createPost(ann, {});
    const response = await ann.send('PATCH', `/api/posts/${post.id}`, { scheduledAt });
    expect(response.status).toBe(422);
    expect(((await response.json()) as Problem).issues?.[0]?.path).toBe('scheduledAt');
  },
);

test('a published post cannot be scheduled, unless the same save unpublishes it', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, { published: true });
  const scheduledAt = inFuture(testApp, day);
  const refused = await ann.send('PATCH', `/api/posts/${post.id}`, { scheduledAt });
  expect(refused.status).toBe(422);
  expect(await isLive(testApp)).toBe(true);

  await changePost(ann, post, { scheduledAt, published: false });
  expect(await isLive(testApp)).toBe(false);
  await passTimeAndPublish(testApp, day);
  expect((await findPost(ann)).createdAt).toBe(scheduledAt);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('a new time replaces the old one', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  await changePost(ann, post, { scheduledAt: inFuture(testApp, 2 * day) });
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(false);
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(true);
});

test('an unscheduled post stays a draft', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  expect((await changePost(ann, post, { scheduledAt: null })).post.scheduledAt).toBeNull();
  await passTimeAndPublish(testApp, 2 * day);
  expect(await isLive(testApp)).toBe(false);
});

test('publishing manually ends the schedule, even if the post is unpublished again', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  const { post: published } = await changePost(ann, post, { published: true });
  expect(published).toMatchObject({ scheduledAt: null, createdAt: post.createdAt });
  await changePost(ann, post, { published: false });
  await passTimeAndPublish(testApp, 2 * day);
  expect(await isLive(testApp)).toBe(false);
});

test('an edited post stays scheduled, and its latest text is published', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  await changePost(ann, post, { content: 'Later text', slug: 'ice', published: false });
  await passTimeAndPublish(testApp, day);
  expect(await shownAt(testApp, '/blog/ice')).toMatchObject({ post: { content: 'Later text' } });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('a merged save keeps the schedule, unless it sets another time', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, { content: 'One\n\nTwo' });
  const scheduledAt = inFuture(testApp, day);
  await changePost(ann, post, { baseVersion: 1, scheduledAt });
  const saved = await changePost(ann, post, {
    baseVersion: 1,
    title: 'Ice',
    content: 'One\n\nTwo\n\nThree',
    published: false,
  });
  expect(saved).toMatchObject({ merged: true, post: { title: 'Ice', scheduledAt } });

  const later = inFuture(testApp, 2 * day);
  const merged = await changePost(ann, post, {
    baseVersion: 2,
    content: 'Zero\n\nOne\n\nTwo',
    scheduledAt: later,
  });
  expect(merged).toMatchObject({ merged: true, post: { title: 'Ice', scheduledAt: later } });
});

test('saving a form that was opened before publication leaves the post published', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const post = await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  await passTimeAndPublish(testApp, day);
  const saved = await changePost(ann, post, {
    baseVersion: 1,
    content: 'New text',
    published: false,
  });
  expect(saved).toMatchObject({ merged: true, post: { published: true, content: 'New text' } });
  const late = { baseVersion: 1, title: 'Ice', scheduledAt: inFuture(testApp, day) };
  expect((await ann.send('PATCH', `/api/posts/${post.id}`, late)).status).toBe(422);
});

test('the quota counts scheduling a post, not its publication', async () => {
  await using testApp = await makeTestApp({
    publishes: true,
    settings: { quotas: { posts: 9, textBytes: 1e9, publishesPerHour: 2 } },
  });
  const ann = await signedInBrowser(testApp);
  const scheduledAt = inFuture(testApp, minute);
  const first = await createPost(ann, { scheduledAt });
  await changePost(ann, first, { content: 'Changed' });
  await createPost(ann, { slug: 'ice', scheduledAt });
  const refused = await ann.post('/api/posts', { title: 'Third', content: 'Text', scheduledAt });
  expect(refused.status).toBe(429);
  await passTimeAndPublish(testApp, minute);
  expect([await isLive(testApp), await isLive(testApp, 'ice')]).toEqual([true, true]);
});

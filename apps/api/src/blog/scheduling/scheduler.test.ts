import { day, minute } from '@app/contract/durations';
import type { HealthReply } from '@app/contract/health';
import { accountDeletions, users } from '@app/db/schema/accounts';
import { blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { desc, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { makeDataDir, passTimeAndPublish } from '../../testing/blog.ts';
import {
  changePost,
  createPost,
  findPost,
  inFuture,
  isLive,
  startScheduling,
} from '../../testing/scheduling.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import {
  MovingClock,
  makeTestApp,
  setRole,
  signedInBrowser,
  staffBrowser,
} from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';

test('a scheduled post is a draft until its time, and then published with that date', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  await createPost(ann, { title: 'Earlier', tags: ['Winter'], published: true });
  const scheduledAt = inFuture(testApp, 40 * day);
  const created = await createPost(ann, { tags: ['winter'], scheduledAt });
  expect(created).toMatchObject({ published: false, scheduledAt });
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  expect((await bob.get('/api/posts/frost')).status).toBe(404);

  await passTimeAndPublish(testApp, 40 * day - 1);
  expect(await isLive(testApp)).toBe(false);

  await passTimeAndPublish(testApp, 1);
  const post = await findPost(bob);
  expect(post).toMatchObject({ published: true, scheduledAt: null, createdAt: scheduledAt });
  expect(post.version).toBe(2);
  const pages = await publishedPages(testApp);
  expect(pages).toEqual(await wantedPages(testApp));
  for (const name of ['blog/archive/2026-04', 'blog/tag/winter', 'blog/earlier']) {
    expect(pages[`${name}.html`]).toContain('Frost');
  }
  const [revision] = await testApp.deps.db
    .select()
    .from(blogPostRevisions)
    .orderBy(desc(blogPostRevisions.version));
  expect(revision).toMatchObject({ version: 2, published: true, content: 'Text' });
  expect(revision?.userId).toBe(post.authorId);
});

test('publishes a post from the trash only if it is restored before its time', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const scheduledAt = inFuture(testApp, 2 * day);
  const post = await createPost(ann, { scheduledAt });
  const late = await createPost(ann, { slug: 'late', scheduledAt: inFuture(testApp, day) });
  for (const { id } of [post, late]) await ann.send('DELETE', `/api/posts/${id}`, {});
  await passTimeAndPublish(testApp, day);
  const rows = testApp.deps.db.select().from(blogPosts).all();
  expect(rows.some(({ published }) => published)).toBe(false);
  for (const { id } of [post, late]) await ann.post(`/api/posts/${id}/restore`, {});
  expect(await findPost(ann)).toMatchObject({ published: false, scheduledAt });
  expect(await findPost(ann, 'late')).toMatchObject({ published: false, scheduledAt: null });
  await passTimeAndPublish(testApp, day);
  expect([await isLive(testApp), await isLive(testApp, 'late')]).toEqual([true, false]);
});

test('deletes a scheduled post with its author’s account', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  expect((await ann.send('DELETE', '/api/account', { posts: 'keep' })).status).toBe(204);
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(false);
});

test('a post stays a draft, and says why, if the account that scheduled it can no longer write', async () => {
  const clock = new MovingClock();
  const dataDir = makeDataDir();
  const options = { clock, dataDir, publishes: true };
  {
    await using testApp = await makeTestApp(options);
    const ann = await signedInBrowser(testApp);
    await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  }
  await using testApp = await makeTestApp({ ...options, settings: { authoring: 'team' } });
  const droppedSchedule = clock.now() + day;
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(false);
  const [row] = await testApp.deps.db.select().from(blogPosts);
  expect(row).toMatchObject({ published: false, scheduledAt: null, scheduledBy: null });
  expect(row).toMatchObject({ droppedSchedule, version: 1 });
});

test('a post stays a draft if the user who scheduled it is no longer staff', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const sam = await staffBrowser(testApp);
  const post = await createPost(ann, {});
  const scheduledAt = inFuture(testApp, day);
  await changePost(sam, post, { scheduledAt });
  setRole(testApp, 'sam@example.com', 'member');

  await passTimeAndPublish(testApp, day);

  expect(await isLive(testApp)).toBe(false);
  expect(await findPost(ann)).toMatchObject({
    ...{ published: false, scheduledAt: null, droppedSchedule: scheduledAt },
  });
  expect(await (await ann.get('/blog/editor/frost')).text()).toContain(
    `"droppedSchedule":"${scheduledAt}"`,
  );
  await changePost(ann, post, { published: true });
  expect(await findPost(ann)).toMatchObject({ published: true, droppedSchedule: null });
});

test('publishes nothing for an account that is being deleted', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  const [ofAnn] = await testApp.deps.db.select().from(users);
  await testApp.deps.db.insert(accountDeletions).values({ userId: ofAnn?.id ?? '', posts: 'keep' });
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(false);
});

test('deleting a staff account ends the schedules it set for other authors’ posts', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const bob = await staffBrowser(testApp, 'bob@example.com');
  const post = await createPost(ann, {});
  const scheduledAt = inFuture(testApp, day);
  await changePost(bob, post, { scheduledAt });
  await bob.send('DELETE', '/api/account', { posts: 'keep' });
  expect(await findPost(ann)).toMatchObject({
    ...{ published: false, scheduledAt: null, droppedSchedule: scheduledAt },
  });
});

test('publishes many posts that are due at once', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const scheduledAt = inFuture(testApp, day);
  for (let number = 1; number <= 25; number += 1) {
    await createPost(ann, { slug: `post-${number}`, scheduledAt });
  }
  await passTimeAndPublish(testApp, day);
  const posts = await testApp.deps.db.select().from(blogPosts);
  expect(posts.every(({ published }) => published)).toBe(true);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('a post that fails is retried later and does not hold up others', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const { db, health } = testApp.deps;
  const scheduledAt = inFuture(testApp, day);
  await createPost(ann, { slug: 'broken', scheduledAt });
  await createPost(ann, { slug: 'whole', scheduledAt });
  db.run(sql`create trigger break_post before update on blog_posts when old.slug = 'broken'
    and new.published begin select raise(abort, 'broken'); end`);

  await passTimeAndPublish(testApp, day);

  expect([await isLive(testApp, 'broken'), await isLive(testApp, 'whole')]).toEqual([false, true]);
  const problem = '1 scheduled post could not be published, and will be retried.';
  expect(health.problems()).toEqual([problem]);
  const { problems } = (await (await ann.get('/api/health')).json()) as HealthReply;
  expect(problems).toEqual([problem]);

  db.run(sql`drop trigger break_post`);
  await passTimeAndPublish(testApp, 1_000);
  expect(await isLive(testApp, 'broken')).toBe(false);
  await passTimeAndPublish(testApp, 10_000);
  expect(await isLive(testApp, 'broken')).toBe(true);
  expect(health.problems()).toEqual([]);
});

test('a failed post that is unscheduled no longer counts as a problem', async () => {
  const { testApp, ann } = await startScheduling();
  await using _ = testApp;
  const { db, health } = testApp.deps;
  const post = await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  db.run(sql`create trigger break_post before update on blog_posts when new.published
    begin select raise(abort, 'broken'); end`);
  await passTimeAndPublish(testApp, day);
  expect(health.problems()).toHaveLength(1);
  await changePost(ann, post, { scheduledAt: null });
  await passTimeAndPublish(testApp, 0);
  expect(health.problems()).toEqual([]);
});

test('the timer publishes on time, even after the clock is set', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { testApp, ann } = await startScheduling();
    await using _ = testApp;
    const { clock, deps } = testApp;
    const isPublished = () => deps.db.select().from(blogPosts).get()?.published;
    deps.scheduler.start();
    const post = await createPost(ann, { scheduledAt: inFuture(testApp, 100 * day) });
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(isPublished()).toBe(false);

    // Half a second before the time, with a timer that was started earlier.
    clock.set(100 * day - 500);
    await vi.advanceTimersByTimeAsync(minute);
    expect(isPublished()).toBe(false);
    clock.move(500);
    await vi.advanceTimersByTimeAsync(1_000);
    await until(isPublished);

    const sam = await staffBrowser(testApp);
    await changePost(sam, post, { published: false, scheduledAt: inFuture(testApp, 30 * minute) });
    // The clock is set back, so the post is not due yet.
    clock.set(-day);
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(isPublished()).toBe(false);
    clock.set(day + 30 * minute);
    await vi.advanceTimersByTimeAsync(minute);
    await until(isPublished);
  } finally {
    vi.useRealTimers();
  }
});

test('a start publishes posts that became due while the server was off', async () => {
  const clock = new MovingClock();
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ clock, dataDir, publishes: true });
    const ann = await signedInBrowser(testApp);
    await createPost(ann, { scheduledAt: inFuture(testApp, day) });
  }
  clock.move(3 * day);
  await using testApp = await makeTestApp({ clock, dataDir, publishes: true });
  testApp.deps.scheduler.start();
  await until(() => isLive(testApp));
  const [row] = await testApp.deps.db.select().from(blogPosts);
  expect(row?.createdAt).toBe(clock.now());
});

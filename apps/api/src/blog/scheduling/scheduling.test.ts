import type { Post, PostList, PostSaved } from '@app/contract/blog/posts';
import type { HealthReply } from '@app/contract/health';
import type { Problem } from '@app/contract/problems';
import { users } from '@app/db/schema/accounts';
import { blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { desc, eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { makeDataDir, passTimeAndPublish, shownAt } from '../../testing/blog.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { settledRows } from '../../testing/tables.ts';
import {
  MovingClock,
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const start = async () => {
  const testApp = await makeTestApp({ publishes: true });
  return { testApp, ann: await signedInBrowser(testApp) };
};

const inFuture = ({ clock }: Pick<TestApp, 'clock'>, milliseconds: number): string =>
  new Date(clock.now() + milliseconds).toISOString();

async function create(browser: TestBrowser, more: object): Promise<Post> {
  const response = await browser.post('/api/posts', { title: 'Frost', content: 'Text', ...more });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as PostSaved).post;
}

async function change(browser: TestBrowser, { id }: Post, body: object): Promise<PostSaved> {
  const response = await browser.send('PATCH', `/api/posts/${id}`, body);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as PostSaved;
}

const find = async (browser: TestBrowser, slug = 'frost'): Promise<Post> =>
  (await browser.get(`/api/posts/${slug}`)).json() as Promise<Post>;

const isLive = async (testApp: TestApp, slug = 'frost'): Promise<boolean> =>
  (await shownAt(testApp, `/blog/${slug}`)) !== null;

test('a scheduled post is a draft until its time, and then published with that date', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  await create(ann, { title: 'Earlier', tags: ['Winter'], published: true });
  const scheduledAt = inFuture(testApp, 40 * day);
  const created = await create(ann, { tags: ['winter'], scheduledAt });
  expect(created).toMatchObject({ published: false, scheduledAt });
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  expect((await bob.get('/api/posts/frost')).status).toBe(404);

  await passTimeAndPublish(testApp, 40 * day - 1);
  expect(await isLive(testApp)).toBe(false);

  await passTimeAndPublish(testApp, 1);
  const post = await find(bob);
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

test('only those who may read the draft see that it is scheduled', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const scheduledAt = inFuture(testApp, day);
  await create(ann, { scheduledAt });
  const list = async (browser: TestBrowser) =>
    (await (await browser.get('/api/posts?drafts=true')).json()) as PostList;
  expect((await list(ann)).posts).toMatchObject([{ slug: 'frost', scheduledAt }]);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  expect((await list(bob)).posts).toEqual([]);
});

test.each([
  ['the past', -1, 'Choose a time in the future.'],
  ['two years', 731 * day, 'Choose a time within a year.'],
])('refuses %s, and changes nothing', async (_what, milliseconds, message) => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, {});
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
  'refuses what is not a time: %s',
  async (scheduledAt) => {
    const { testApp, ann } = await start();
    await using _ = testApp;
    const post = await create(ann, {});
    const response = await ann.send('PATCH', `/api/posts/${post.id}`, { scheduledAt });
    expect(response.status).toBe(422);
    expect(((await response.json()) as Problem).issues?.[0]?.path).toBe('scheduledAt');
  },
);

test('a published post cannot be scheduled, unless the same save unpublishes it', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, { published: true });
  const scheduledAt = inFuture(testApp, day);
  const refused = await ann.send('PATCH', `/api/posts/${post.id}`, { scheduledAt });
  expect(refused.status).toBe(422);
  expect(await isLive(testApp)).toBe(true);

  await change(ann, post, { scheduledAt, published: false });
  expect(await isLive(testApp)).toBe(false);
  await passTimeAndPublish(testApp, day);
  expect((await find(ann)).createdAt).toBe(scheduledAt);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('a new time replaces the old one', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, { scheduledAt: inFuture(testApp, day) });
  await change(ann, post, { scheduledAt: inFuture(testApp, 2 * day) });
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(false);
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(true);
});

test('an unscheduled post stays a draft', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, { scheduledAt: inFuture(testApp, day) });
  expect((await change(ann, post, { scheduledAt: null })).post.scheduledAt).toBeNull();
  await passTimeAndPublish(testApp, 2 * day);
  expect(await isLive(testApp)).toBe(false);
});

test('publishing by hand ends the schedule, also if the post is unpublished again', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, { scheduledAt: inFuture(testApp, day) });
  const { post: published } = await change(ann, post, { published: true });
  expect(published).toMatchObject({ scheduledAt: null, createdAt: post.createdAt });
  await change(ann, post, { published: false });
  await passTimeAndPublish(testApp, 2 * day);
  expect(await isLive(testApp)).toBe(false);
});

test('edits stay scheduled: the text that was saved last is published', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, { scheduledAt: inFuture(testApp, day) });
  await change(ann, post, { content: 'Later text', slug: 'ice', published: false });
  await passTimeAndPublish(testApp, day);
  expect(await shownAt(testApp, '/blog/ice')).toMatchObject({ post: { content: 'Later text' } });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('a save that is based on an older version neither schedules nor unschedules', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, { content: 'One\n\nTwo' });
  const scheduledAt = inFuture(testApp, day);
  await change(ann, post, { baseVersion: 1, scheduledAt });
  const saved = await change(ann, post, {
    baseVersion: 1,
    title: 'Ice',
    content: 'One\n\nTwo\n\nThree',
    published: false,
  });
  expect(saved).toMatchObject({ merged: true, post: { title: 'Ice', scheduledAt } });

  const later = inFuture(testApp, 2 * day);
  const merged = await change(ann, post, {
    baseVersion: 2,
    content: 'Zero\n\nOne\n\nTwo',
    scheduledAt: later,
  });
  expect(merged).toMatchObject({ merged: true, post: { title: 'Ice', scheduledAt: later } });
});

test('a save of a form from before the publication leaves the post published', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, { scheduledAt: inFuture(testApp, day) });
  await passTimeAndPublish(testApp, day);
  const saved = await change(ann, post, { baseVersion: 1, content: 'New text', published: false });
  expect(saved).toMatchObject({ merged: true, post: { published: true, content: 'New text' } });
  const late = { baseVersion: 1, title: 'Ice', scheduledAt: inFuture(testApp, day) };
  expect((await ann.send('PATCH', `/api/posts/${post.id}`, late)).status).toBe(422);
});

test('a post in the trash is not published; restored before its time, it is', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const scheduledAt = inFuture(testApp, 2 * day);
  const post = await create(ann, { scheduledAt });
  const late = await create(ann, { slug: 'late', scheduledAt: inFuture(testApp, day) });
  for (const { id } of [post, late]) await ann.send('DELETE', `/api/posts/${id}`, {});
  await passTimeAndPublish(testApp, day);
  const rows = testApp.deps.db.select().from(blogPosts).all();
  expect(rows.some(({ published }) => published)).toBe(false);
  for (const { id } of [post, late]) await ann.post(`/api/posts/${id}/restore`, {});
  expect(await find(ann)).toMatchObject({ published: false, scheduledAt });
  expect(await find(ann, 'late')).toMatchObject({ published: false, scheduledAt: null });
  await passTimeAndPublish(testApp, day);
  expect([await isLive(testApp), await isLive(testApp, 'late')]).toEqual([true, false]);
});

test('with the account of its author, a scheduled post is deleted', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  await create(ann, { scheduledAt: inFuture(testApp, day) });
  expect((await ann.send('DELETE', '/api/account', { posts: 'keep' })).status).toBe(204);
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(false);
});

test('what another account scheduled stays a draft once that account may not write', async () => {
  const clock = new MovingClock();
  const dataDir = makeDataDir();
  const options = { clock, dataDir, publishes: true };
  {
    await using testApp = await makeTestApp(options);
    const ann = await signedInBrowser(testApp);
    await create(ann, { scheduledAt: inFuture(testApp, day) });
  }
  await using testApp = await makeTestApp({ ...options, settings: { authoring: 'team' } });
  await passTimeAndPublish(testApp, day);
  expect(await isLive(testApp)).toBe(false);
  const [row] = await testApp.deps.db.select().from(blogPosts);
  expect(row).toMatchObject({ published: false, scheduledAt: null, scheduledBy: null, version: 2 });
});

test('staff’s schedule of another author’s post ends with the account', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await testApp.deps.db
    .update(users)
    .set({ role: 'staff' })
    .where(eq(users.email, 'bob@example.com'));
  const post = await create(ann, {});
  await change(bob, post, { scheduledAt: inFuture(testApp, day) });
  await bob.send('DELETE', '/api/account', { posts: 'keep' });
  expect(await find(ann)).toMatchObject({ published: false, scheduledAt: null });
});

test('the quota counts scheduling, not the publication', async () => {
  await using testApp = await makeTestApp({
    publishes: true,
    settings: { quotas: { posts: 9, textBytes: 1e9, publishesPerHour: 2 } },
  });
  const ann = await signedInBrowser(testApp);
  const scheduledAt = inFuture(testApp, minute);
  const first = await create(ann, { scheduledAt });
  await change(ann, first, { content: 'Changed' });
  await create(ann, { slug: 'ice', scheduledAt });
  const refused = await ann.post('/api/posts', { title: 'Third', content: 'Text', scheduledAt });
  expect(refused.status).toBe(429);
  await passTimeAndPublish(testApp, minute);
  expect([await isLive(testApp), await isLive(testApp, 'ice')]).toEqual([true, true]);
});

test('publishes many posts that are due at once', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const scheduledAt = inFuture(testApp, day);
  for (let number = 1; number <= 25; number += 1) {
    await create(ann, { slug: `post-${number}`, scheduledAt });
  }
  await passTimeAndPublish(testApp, day);
  const posts = await testApp.deps.db.select().from(blogPosts);
  expect(posts.every(({ published }) => published)).toBe(true);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('a post that fails is retried later and does not hold up others', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const { db, health } = testApp.deps;
  const scheduledAt = inFuture(testApp, day);
  await create(ann, { slug: 'broken', scheduledAt });
  await create(ann, { slug: 'whole', scheduledAt });
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
  const { testApp, ann } = await start();
  await using _ = testApp;
  const { db, health } = testApp.deps;
  const post = await create(ann, { scheduledAt: inFuture(testApp, day) });
  db.run(sql`create trigger break_post before update on blog_posts when new.published
    begin select raise(abort, 'broken'); end`);
  await passTimeAndPublish(testApp, day);
  expect(health.problems()).toHaveLength(1);
  await change(ann, post, { scheduledAt: null });
  await passTimeAndPublish(testApp, 0);
  expect(health.problems()).toEqual([]);
});

test('without scripts, a form schedules in the zone that it names, and unschedules', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await create(ann, {});
  const form = { title: 'Frost', slug: 'frost', content: 'Text', excerpt: '', coverImage: '' };
  const path = `/api/posts/${post.id}`;

  const scheduled = await ann.submit(path, {
    ...form,
    scheduledAt: '2026-03-29T02:30',
    timeZone: 'Europe/Berlin',
    scheduledBefore: '',
  });
  expect(scheduled.headers.get('Location')).toBe('/blog/frost');
  expect((await find(ann)).scheduledAt).toBe('2026-03-29T01:30:00.000Z');

  const invalid = { ...form, scheduledAt: '2026-03-30T10:00', timeZone: 'Mars/Olympus' };
  expect((await ann.submit(path, invalid)).status).toBe(422);

  const scheduledBefore = '2026-03-29T01:30:00.000Z';
  const stale = { ...form, scheduledAt: '2026-03-29T01:30', timeZone: 'UTC', scheduledBefore };
  await ann.send('PATCH', path, { scheduledAt: '2026-03-31T08:00:00.000Z' });
  await ann.submit(path, { ...stale, title: 'Ice' });
  expect(await find(ann)).toMatchObject({
    title: 'Ice',
    scheduledAt: '2026-03-31T08:00:00.000Z',
  });

  await ann.submit(path, { scheduledAt: '', scheduledBefore });
  expect(await find(ann)).toMatchObject({ published: false, scheduledAt: null });

  await ann.submit(path, { ...form, scheduledAt: '2026-03-30T10:00', published: 'true' });
  expect(await find(ann)).toMatchObject({ published: true, scheduledAt: null });
});

test('the timer publishes when the time has come, also after the clock was set', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { testApp, ann } = await start();
    await using _ = testApp;
    const { clock, deps } = testApp;
    const isPublished = () => deps.db.select().from(blogPosts).get()?.published;
    deps.scheduler.start();
    const post = await create(ann, { scheduledAt: inFuture(testApp, 100 * day) });
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(isPublished()).toBe(false);

    // Half a second before it, with a timer that was set before.
    clock.set(100 * day - 500);
    await vi.advanceTimersByTimeAsync(minute);
    expect(isPublished()).toBe(false);
    clock.move(500);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isPublished()).toBe(true);

    const bob = await signedInBrowser(testApp, 'bob@example.com');
    await change(bob, post, { published: false, scheduledAt: inFuture(testApp, 30 * minute) });
    // Set back: the time has not come yet.
    clock.set(-day);
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(isPublished()).toBe(false);
    clock.set(day + 30 * minute);
    await vi.advanceTimersByTimeAsync(minute);
    expect(isPublished()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('what became due while the server was off is published by the start', async () => {
  const clock = new MovingClock();
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ clock, dataDir, publishes: true });
    const ann = await signedInBrowser(testApp);
    await create(ann, { scheduledAt: inFuture(testApp, day) });
  }
  clock.move(3 * day);
  await using testApp = await makeTestApp({ clock, dataDir, publishes: true });
  testApp.deps.scheduler.start();
  await until(() => isLive(testApp));
  const [row] = await testApp.deps.db.select().from(blogPosts);
  expect(row?.createdAt).toBe(clock.now());
});

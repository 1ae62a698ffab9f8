import { day } from '@app/contract/durations';
import { users } from '@app/db/schema/accounts';
import { blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { startWriting } from '../../testing/blog.ts';
import { pathsLoggedBy } from '../../testing/logged-paths.ts';
import { settledRows } from '../../testing/tables.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { listPaths, monthIndexPaths, postPaths } from '../pages/post-paths.ts';
import { detachPosts } from './detach-posts.ts';

/** A post, a draft, and a renamed post, in two months. */
async function writeABit(testApp: TestApp) {
  const writer = await startWriting(testApp);
  const { post: renamed } = await writer.write('Before');
  await writer.change(renamed, { slug: 'after' });
  testApp.clock.move(31 * day);
  const { post } = await writer.write('Post');
  const { post: draft } = await writer.write('Sketch', { published: false });
  return { ...writer, post, draft };
}

/** @returns the paths of affected pages */
async function leave({ deps }: TestApp, posts: 'keep' | 'delete'): Promise<string[]> {
  return pathsLoggedBy(deps.db, () => Array.fromAsync(detachPosts(deps, { userId: 'ann', posts })));
}

test('keeping posts updates the pages with the author’s name', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  await writeABit(testApp);
  const paths = await leave(testApp, 'keep');
  expect(new Set(paths)).toEqual(
    new Set([...listPaths, ...postPaths('after'), ...postPaths('post')]),
  );
});

test('deleting posts updates all pages that show or link to them', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  await writeABit(testApp);
  const paths = await leave(testApp, 'delete');
  const ofMonths = ['2026-03', '2026-04'].flatMap((month) => [
    `/blog/archive/${month}`,
    `/blog/sitemap-${month}.xml`,
  ]);
  expect(new Set(paths)).toEqual(
    new Set([
      ...listPaths,
      ...monthIndexPaths,
      ...['before', 'after', 'post'].flatMap(postPaths),
      ...ofMonths,
    ]),
  );
});

test('updates no pages if the author has no published posts', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('Sketch', { published: false });
  for (const published of ['keep', 'delete'] as const) {
    expect(await leave(testApp, published)).toEqual([]);
  }
});

describe.each(['keep', 'delete'] as const)('%s', (published) => {
  test('leaves no post with the author', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    await writeABit(testApp);
    await leave(testApp, published);
    const posts = await testApp.deps.db.select().from(blogPosts);
    expect(posts.map(({ slug }) => slug).sort()).toEqual(
      published === 'keep' ? ['after', 'post'] : [],
    );
    for (const post of posts) expect(post).toMatchObject({ authorId: null, authorEmail: '' });
  });

  test('does not change other authors’ posts', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    await writeABit(testApp);
    testApp.deps.db.$client.exec(
      "INSERT INTO users (id, email, created_at) VALUES ('bob', 'bob@example.com', 0); UPDATE blog_posts SET author_id = 'bob', author_email = 'bob@example.com'; UPDATE blog_post_revisions SET user_id = 'bob'",
    );
    const rows = await settledRows(testApp);
    expect(await leave(testApp, published)).toEqual([]);
    expect(await settledRows(testApp)).toEqual(rows);
  });
});

test('lets other work run in between', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { write } = await startWriting(testApp);
  for (const title of ['One', 'Two', 'Three']) await write(title);
  // The clock advances 0.1 s with each reading, so that a transaction ends after its first step.
  const time = vi.spyOn(performance, 'now');
  time.mockImplementation(() => time.mock.calls.length * 100);
  const seen: number[] = [];
  let looking: NodeJS.Immediate;
  const look = () => {
    seen.push(db.select().from(blogPosts).all().length);
    looking = setImmediate(look);
  };
  looking = setImmediate(look);
  await leave(testApp, 'delete');
  clearImmediate(looking);
  vi.restoreAllMocks();
  expect(seen).toEqual(expect.arrayContaining([2, 1, 0]));
});

test('removes the account from revisions and others’ posts, without marking these as changed', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Post');
  for (let n = 0; n < 25; n += 1) await change(post, { content: `Text ${n}` });
  db.insert(users).values({ id: 'bob', email: 'bob@example.com', createdAt: 0 }).run();
  const references = { authorId: 'bob', deletedBy: 'ann', scheduledBy: 'ann' };
  db.update(blogPosts)
    .set({ ...references, scheduledAt: 1 })
    .run();
  const before = db.select().from(blogPosts).get();

  expect(await leave(testApp, 'keep')).toEqual([]);

  expect(db.select().from(blogPosts).get()).toEqual({
    ...before,
    ...{ deletedBy: null, scheduledBy: null },
    ...{ scheduledAt: null, droppedSchedule: 1 },
    // Unscheduling counts as a change.
    revision: expect.not.stringMatching(before?.revision ?? ''),
  });
  const authors = db.selectDistinct({ userId: blogPostRevisions.userId }).from(blogPostRevisions);
  expect(authors.all()).toEqual([{ userId: null }]);
});

test('keeps only the revisions of a post that were published or saved by others', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Post', { content: 'Secret.', published: false });
  for (let n = 0; n < 25; n += 1) await change(post, { content: `Secret ${n}.` });
  await change(post, { content: 'By Bob.' });
  db.insert(users).values({ id: 'bob', email: 'bob@example.com', createdAt: 0 }).run();
  const byBob = eq(blogPostRevisions.content, 'By Bob.');
  db.update(blogPostRevisions).set({ userId: 'bob' }).where(byBob).run();
  await change(post, { content: 'Public.', published: true });
  await change(post, { published: false });
  await change(post, { content: 'Secret again.' });
  await change(post, { content: 'Public again.', published: true });

  await leave(testApp, 'keep');

  const revisions = db
    .select({ userId: blogPostRevisions.userId, content: blogPostRevisions.content })
    .from(blogPostRevisions)
    .orderBy(blogPostRevisions.version);
  expect(revisions.all()).toEqual([
    { userId: 'bob', content: 'By Bob.' },
    { userId: null, content: 'Public.' },
    { userId: null, content: 'Public again.' },
  ]);
});

test.each(['keep', 'delete'] as const)(
  'empties the trash of the author (%s)',
  async (published) => {
    await using testApp = await makeTestApp({ publishes: true });
    const { write, remove } = await startWriting(testApp);
    await remove((await write('Deleted')).post);
    expect(await leave(testApp, published)).toEqual([]);
    expect(testApp.deps.db.select().from(blogPosts).all()).toEqual([]);
  },
);

import { blogPosts } from '@app/db/schema/blog';
import { describe, expect, test } from 'vitest';
import { startWriting } from '../../testing/blog.ts';
import { settledRows } from '../../testing/tables.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { listPaths, postPaths } from '../pages/post-paths.ts';
import { leavePosts } from './leave-posts.ts';

const day = 24 * 60 * 60 * 1_000;

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

const leave = ({ deps: { db } }: TestApp, published: 'keep' | 'delete') =>
  db.transaction((tx) => leavePosts(tx, 'ann', published), { behavior: 'immediate' });

test('keeping posts updates the pages with the author’s name', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  await writeABit(testApp);
  const paths = leave(testApp, 'keep');
  expect(new Set(paths)).toEqual(
    new Set([...listPaths, ...postPaths('after'), ...postPaths('post')]),
  );
});

test('deleting posts updates all pages that show or link to them', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  await writeABit(testApp);
  const paths = leave(testApp, 'delete');
  const ofMonths = ['2026-03', '2026-04'].flatMap((month) => [
    `/blog/archive/${month}`,
    `/blog/sitemap-${month}.xml`,
  ]);
  expect(new Set(paths)).toEqual(
    new Set([...listPaths, ...['before', 'after', 'post'].flatMap(postPaths), ...ofMonths]),
  );
});

test('updates no page without published posts', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('Sketch', { published: false });
  for (const published of ['keep', 'delete'] as const) {
    expect(leave(testApp, published)).toEqual([]);
  }
});

describe.each(['keep', 'delete'] as const)('%s', (published) => {
  test('leaves no post with an author', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    await writeABit(testApp);
    leave(testApp, published);
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
      "INSERT INTO users (id, email, created_at) VALUES ('bob', 'bob@example.com', 0); UPDATE blog_posts SET author_id = 'bob', author_email = 'bob@example.com'",
    );
    const rows = await settledRows(testApp);
    expect(leave(testApp, published)).toEqual([]);
    expect(await settledRows(testApp)).toEqual(rows);
  });
});

test.each(['keep', 'delete'] as const)(
  'empties the trash of the author (%s)',
  async (published) => {
    await using testApp = await makeTestApp({ publishes: true });
    const { write, remove } = await startWriting(testApp);
    await remove((await write('Deleted')).post);
    expect(leave(testApp, published)).toEqual([]);
    expect(testApp.deps.db.select().from(blogPosts).all()).toEqual([]);
  },
);

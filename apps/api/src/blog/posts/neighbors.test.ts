import { blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  makeDataDir,
  rendererWith,
  shownAt,
  startWriting,
  startWritingAndCrash,
} from '../../testing/blog.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';

/** The slugs of the previous and the next post. */
async function around(testApp: TestApp, slug: string): Promise<(string | undefined)[]> {
  const page = await shownAt(testApp, `/blog/${slug}`);
  if (page?.kind !== 'post') throw new Error(`no post at ${slug}`);
  const { previous, next } = page.neighbors;
  return [previous?.slug, next?.slug];
}

async function expectRightFiles(testApp: TestApp): Promise<void> {
  await testApp.deps.publisher.settled();
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
}

/** Three posts within a millisecond, then one more. */
async function fourPosts(testApp: TestApp) {
  const writer = await startWriting(testApp);
  const a = await writer.write('A');
  const b = await writer.write('B');
  const c = await writer.write('C');
  testApp.clock.move(1);
  const d = await writer.write('D');
  await testApp.deps.publisher.settled();
  return { ...writer, a: a.post, b: b.post, c: c.post, d: d.post };
}

test('posts link to the previous and the next post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  await fourPosts(testApp);
  await expectRightFiles(testApp);
  expect(await around(testApp, 'a')).toEqual([undefined, 'b']);
  expect(await around(testApp, 'b')).toEqual(['a', 'c']);
  expect(await around(testApp, 'c')).toEqual(['b', 'd']);
  expect(await around(testApp, 'd')).toEqual(['c', undefined]);
});

test('updates links to a post that is renamed, unpublished, published and deleted', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { change, remove, a, b } = await fourPosts(testApp);
  await change(b, { slug: 'bee', title: 'Bee' });
  await expectRightFiles(testApp);
  expect(await around(testApp, 'a')).toEqual([undefined, 'bee']);
  expect(await shownAt(testApp, '/blog/c')).toMatchObject({
    neighbors: { previous: { slug: 'bee', title: 'Bee' } },
  });

  await change(b, { published: false });
  await expectRightFiles(testApp);
  expect(await around(testApp, 'a')).toEqual([undefined, 'c']);
  expect(await around(testApp, 'c')).toEqual(['a', 'd']);

  await change(b, { published: true });
  await expectRightFiles(testApp);
  expect(await around(testApp, 'c')).toEqual(['bee', 'd']);

  await remove(a);
  await expectRightFiles(testApp);
  expect(await around(testApp, 'bee')).toEqual([undefined, 'c']);
});

test('a start renders only posts whose neighbors have changed since the last publish', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    await fourPosts(testApp);
    await testApp.deps.publisher.settled();
    const { change } = await startWritingAndCrash(testApp);
    const id = testApp.deps.db.select().from(blogPosts).where(eq(blogPosts.slug, 'b')).get()?.id;
    await change({ id: id ?? '' }, { title: 'Bee' });
  }
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(dataDir), (path) => void rendered.push(path));

  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });

  expect(await shownAt(testApp, '/blog/a')).toMatchObject({
    neighbors: { next: { title: 'Bee' } },
  });
  expect(rendered.filter((path) => /^\/blog\/[a-d](?:\.md)?$/.test(path)).sort()).toEqual([
    '/blog/a',
    '/blog/b',
    '/blog/c',
  ]);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

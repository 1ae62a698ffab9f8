import type { Post, PostSaved } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import { blogPosts } from '@app/db/schema/blog';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { isFullRun } from '../../testing/full-run.ts';
import { randomFrom } from '../../testing/random-from.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { makeTestApp, signedInBrowser } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';

test('applies concurrent edits of a post, and publishes the last one', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const created = await ann.post('/api/posts', {
    title: 'Title',
    content: 'Text',
    published: true,
  });
  const { post } = (await created.json()) as PostSaved;

  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      ann.send(
        'PATCH',
        `/api/posts/${post.id}`,
        n % 2 === 0 ? { title: `Title ${n}` } : { excerpt: `${n}` },
      ),
    ),
  );

  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const stored = (await (await ann.get('/api/posts/title')).json()) as Post;
  expect(stored.title).toMatch(/^Title \d+$/);
  expect(stored.excerpt).toMatch(/^\d+$/);
  // Published pages are identified by the version, so two changes must not share one.
  expect(await testApp.deps.db.select().from(blogPosts)).toMatchObject([{ version: 31 }]);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

// Whatever is requested concurrently, the files must match the database. A seed reproduces a
// sequence.
test.each(isFullRun ? [1, 2, 3, 4, 5, 6] : [1, 2])(
  'handles concurrent edits, renames, publishing and deletions (%i)',
  async (seed) => {
    await using testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    const ids: string[] = [];
    for (const title of ['A', 'B', 'C', 'D', 'E', 'F']) {
      const response = await ann.post('/api/posts', {
        title,
        content: title,
        published: seed % 2 === 0,
      });
      ids.push(((await response.json()) as PostSaved).post.id);
      testApp.clock.move(12 * day);
    }

    const random = randomFrom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const change = () => ({
      ...(random() < 0.5 && { title: `Title ${Math.floor(random() * 100)}` }),
      ...(random() < 0.5 && { slug: pick(['a', 'b', 'c', 'd', 'x', 'y', 'z']) }),
      published: random() < 0.6,
    });
    // Limited, so that changes also arrive while pages of earlier ones are written.
    const limit = pLimit(8);
    const responses = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        limit(() =>
          n % 20 === 19
            ? ann.request('DELETE', `/api/posts/${pick(ids)}`)
            : ann.send('PATCH', `/api/posts/${pick(ids)}`, change()),
        ),
      ),
    );

    const statuses = new Set(responses.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 404, 409]));
    await until(() => testApp.deps.publisher.depth() === 0);
    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  },
);

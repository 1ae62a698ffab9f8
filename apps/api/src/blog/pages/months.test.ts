import { blogPosts } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import { makeTestApp } from '../../testing/test-app.ts';
import { createPublishedPosts } from './published-posts.ts';

test('lists the months of published posts in UTC, newest first', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { months } = createPublishedPosts(db);
  expect(months.all()).toEqual([]);
  const times = [
    '2025-03-31T23:59:59.999Z',
    '2025-03-01T00:00:00.000Z',
    '2025-02-28T23:59:59.999Z',
    '2024-12-31T12:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1899-02-01T00:00:00.000Z',
  ];
  for (const time of [...times, '2026-01-01T00:00:00.000Z']) {
    const published = !time.startsWith('2026');
    const createdAt = new Date(time);
    const content = { title: time, content: time, excerpt: '', tags: [] };
    db.insert(blogPosts)
      .values({
        ...content,
        ...{ id: time, slug: time, published, authorEmail: 'ann@example.com' },
        ...{ createdAt: createdAt.getTime(), updatedAt: createdAt.getTime() },
      })
      .run();
  }
  expect(months.all().map(({ month }) => month)).toEqual([
    ...new Set(times.map((time) => time.slice(0, 7))),
  ]);
});

import type { PostSaved } from '@app/contract/blog/posts';
import { hour } from '@app/contract/durations';
import { blogPostRevisions } from '@app/db/schema/blog';
import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';
import { deleteSupersededRevisions } from './delete-superseded.ts';

async function makePost(testApp: TestApp) {
  const ann = await signedInBrowser(testApp);
  const fields = { title: 'Title', content: 'Text' };
  const { post } = (await (await ann.post('/api/posts', fields)).json()) as PostSaved;
  const { db } = testApp.deps;
  return {
    ann,
    path: `/api/posts/${post.id}`,
    /** @param every milliseconds before each save */
    async save(times: number, every: number) {
      for (let count = 0; count < times; count += 1) {
        testApp.clock.move(every);
        await ann.send('PATCH', `/api/posts/${post.id}`, {
          title: `At ${testApp.clock.now()}`,
        });
      }
    },
    async versions(): Promise<number[]> {
      await deleteSupersededRevisions(testApp.deps);
      const rows = await db
        .select({ version: blogPostRevisions.version })
        .from(blogPostRevisions)
        .where(eq(blogPostRevisions.postId, post.id))
        .orderBy(asc(blogPostRevisions.version));
      return rows.map(({ version }) => version);
    },
  };
}

test('keeps all revisions for a day, then only the last one of each day', async () => {
  // The clock starts at noon.
  await using testApp = await makeTestApp();
  const { save, versions } = await makePost(testApp);
  // Versions 2 to 5 are saved at 15:00, 18:00, 21:00 and 24:00, which is the next day.
  await save(4, 3 * hour);
  expect(await versions()).toEqual([1, 2, 3, 4, 5]);
  testApp.clock.move(12 * hour);
  expect(await versions()).toEqual([1, 2, 3, 4, 5]);
  testApp.clock.move(1);
  expect(await versions()).toEqual([2, 3, 4, 5]);
  testApp.clock.move(9 * hour);
  expect(await versions()).toEqual([4, 5]);
  testApp.clock.move(400 * 24 * hour);
  expect(await versions()).toEqual([4, 5]);
});

test('keeps revisions with a name, and those that unsaved text is based on', async () => {
  await using testApp = await makeTestApp();
  const { ann, path, save, versions } = await makePost(testApp);
  await save(5, 60_000);
  await ann.send('PATCH', `${path}/revisions/2`, { name: 'Named' });
  const id = path.slice('/api/posts/'.length);
  await ann.send('PUT', `/api/posts/drafts/${id}`, { content: 'Typed', baseVersion: 4 });
  testApp.clock.move(25 * hour);
  expect(await versions()).toEqual([2, 4, 6]);
});

test('deletes nothing from the last day when the clock is set back', async () => {
  await using testApp = await makeTestApp();
  const { save, versions } = await makePost(testApp);
  await save(2, 60_000);
  testApp.clock.move(-10 * hour);
  expect(await versions()).toEqual([1, 2, 3]);
});

test('deletes many revisions in batches', async () => {
  await using testApp = await makeTestApp();
  const { versions } = await makePost(testApp);
  const { db, clock } = testApp.deps;
  const [first] = await db.select().from(blogPostRevisions);
  if (!first) throw new Error('no revision');
  const times = Array.from({ length: 1_200 }, (_, index) => index);
  for (const index of times) {
    // Two on each day.
    const createdAt = clock.now() + Math.floor(index / 2) * 24 * hour + (index % 2) * hour;
    const version = index + 2;
    const row = { ...first, id: `revision-${index}`, version, createdAt, bytes: 100_000 };
    await db.insert(blogPostRevisions).values(row);
  }
  testApp.clock.move(700 * 24 * hour);
  // Version 1 was saved on the first day as well.
  expect(await versions()).toEqual(
    times.filter((index) => index % 2 === 1).map((index) => index + 2),
  );
});

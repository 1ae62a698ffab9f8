import { cpSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Picture } from '@app/contract/blog/picture-replies';
import { day } from '@app/contract/durations';
import { close, open } from '@app/db/open';
import { blogPostRevisions } from '@app/db/schema/blog';
import { pictures, pictureUses } from '@app/db/schema/pictures';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  addPicture,
  listPictures,
  pictureFolders,
  pictureRows,
  savePost,
} from '../../testing/pictures.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';

const signInAgain = async (testApp: TestApp): Promise<TestBrowser> => {
  const browser = testApp.browser();
  await browser.post('/api/auth/sign-in', {
    email: 'ann@example.com',
    password: 'correct horse',
  });
  return browser;
};

test('removes a picture 30 days after its last use', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps, clock } = testApp;
  const { sweep } = deps.pictures;
  const ann = await signedInBrowser(testApp);
  const inPost = await addPicture(ann);
  const asCover = await addPicture(ann);
  const inDraft = await addPicture(ann);
  const unused = await addPicture(ann);
  const left = async () => {
    await sweep();
    const ids = pictureFolders(testApp).sort();
    expect(
      pictureRows(testApp)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    return ids;
  };
  const ids = (...all: Picture[]) => all.map(({ id }) => id).sort();

  const content = `Text ![](${inPost.path})`;
  const post = await savePost(ann, { content, coverImage: asCover.path });
  const draft = await ann.send('PUT', `/api/posts/drafts/${post.id}`, {
    ...{ title: 'Title', slug: 'slug', excerpt: '', content: `![](${inDraft.path})` },
  });
  expect(draft.status).toBe(200);
  clock.move(29 * day);
  expect(await left()).toEqual(ids(inPost, asCover, inDraft, unused));
  clock.move(day);
  expect(await left()).toEqual(ids(inPost, asCover, inDraft));
  expect(
    (await listPictures(await signInAgain(testApp))).pictures.map(({ isUsed }) => isUsed),
  ).toEqual([true, true, true]);
  expect((await testApp.browser().get(unused.path)).status).toBe(404);

  // The first revision still has the picture, and so has the post in the trash.
  const again = await signInAgain(testApp);
  await again.send('PATCH', `/api/posts/${post.id}`, { content: 'No picture', coverImage: null });
  await again.request('DELETE', `/api/posts/drafts/${post.id}`);
  clock.move(40 * day);
  expect(await left()).toEqual(ids(inPost, asCover, inDraft));
  clock.move(30 * day);
  expect(await left()).toEqual(ids(inPost, asCover));

  deps.db.delete(blogPostRevisions).where(eq(blogPostRevisions.version, 1)).run();
  expect(await left()).toEqual(ids(inPost, asCover));
  clock.move(30 * day - 1);
  expect(await left()).toEqual(ids(inPost, asCover));
  clock.move(1);
  expect(await left()).toEqual([]);
  expect(deps.db.select().from(pictureUses).all()).toEqual([]);
});

test('removes files left by a crash', async () => {
  await using testApp = await makeTestApp();
  const { id } = await addPicture(await signedInBrowser(testApp));
  const left = 'f'.repeat(24);
  mkdirSync(join(testApp.dataDir, 'uploads/pictures', left));
  writeFileSync(join(testApp.dataDir, 'uploads/pictures', left, '.new-60x40.webp'), 'half');
  await testApp.deps.pictures.sweep();
  expect(pictureFolders(testApp)).toEqual([id]);
});

testOnFile(
  'the sweep keeps a picture that another process is storing',
  'another connection holds the lock',
  async () => {
    await using testApp = await makeTestApp();
    const { db, pictures: stored } = testApp.deps;
    const id = 'f'.repeat(24);
    db.$client.pragma('busy_timeout = 0');
    const importing = open(join(testApp.dataDir, 'site.db'), { synchronous: 'OFF' });
    onTestFinished(() => close(importing));
    importing.run('begin immediate');
    mkdirSync(join(testApp.dataDir, 'uploads/pictures', id), { recursive: true });
    const row = { id, width: 60, height: 40, bytes: 100, alt: '', createdAt: 0, unusedSince: null };
    importing.insert(pictures).values(row).run();

    const attempts = vi.spyOn(db, 'transaction');
    const swept = stored.sweep();
    await until(() => attempts.mock.calls.length > 0);
    importing.run('commit');
    await swept;
    expect(pictureFolders(testApp)).toEqual([id]);
  },
);

test('the sweep keeps staged files for a day', async () => {
  await using testApp = await makeTestApp();
  const { pictures: stored } = testApp.deps;
  const root = join(testApp.dataDir, 'uploads/pictures');
  mkdirSync(join(root, '.new-abc'), { recursive: true });
  const written = testApp.clock.now() / 1_000;
  utimesSync(join(root, '.new-abc'), written, written);
  testApp.clock.move(day);
  await stored.sweep();
  expect(pictureFolders(testApp)).toEqual(['.new-abc']);
  testApp.clock.move(1);
  await stored.sweep();
  expect(pictureFolders(testApp)).toEqual([]);
});

test('a picture can be deleted again after an import has restored it', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { id } = await addPicture(ann);
  const [row] = pictureRows(testApp);
  const folder = join(testApp.dataDir, 'uploads/pictures', id);
  cpSync(folder, `${folder}.copy`, { recursive: true });
  const remove = () => ann.request('DELETE', `/api/posts/pictures/${id}`);
  expect((await remove()).status).toBe(200);
  renameSync(`${folder}.copy`, folder);
  if (row) testApp.deps.db.insert(pictures).values(row).run();
  expect((await remove()).status).toBe(200);
  expect(pictureFolders(testApp)).toEqual([]);
});

test('the sweep runs few queries per turn of the event loop, for any number of pictures', async () => {
  await using testApp = await makeTestApp();
  const { db, pictures: stored } = testApp.deps;
  const ids = Array.from({ length: 2_000 }, (_, index) => index.toString(16).padStart(24, '0'));
  const row = { width: 60, height: 40, bytes: 100, alt: '', createdAt: 0, unusedSince: null };
  db.transaction((tx) => {
    for (const id of ids)
      tx.insert(pictures)
        .values({ id, ...row })
        .run();
  });
  for (const id of ids) {
    mkdirSync(join(testApp.dataDir, 'uploads/pictures', id), { recursive: true });
  }
  const queries = vi.spyOn(db.$client, 'prepare');
  const inTurns: number[] = [];
  let turn = setImmediate(function count() {
    inTurns.push(queries.mock.calls.length);
    queries.mockClear();
    turn = setImmediate(count);
  });
  await stored.sweep();
  clearImmediate(turn);
  expect(Math.max(...inTurns, queries.mock.calls.length)).toBeLessThan(20);
  expect(pictureFolders(testApp)).toHaveLength(ids.length);
});

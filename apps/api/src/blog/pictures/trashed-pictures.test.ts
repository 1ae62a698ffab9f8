import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import { users } from '@app/db/schema/accounts';
import { pictures, trashedPictures } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { addPicture, pictureRows } from '../../testing/pictures.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  userOf,
} from '../../testing/test-app.ts';
import { deleteOldTrashedPictures } from './trashed-pictures.ts';

/** The ids of the pictures in the trash, for all days. */
function inTrash({ dataDir }: TestApp): string[] {
  const trash = join(dataDir, 'trash');
  const days = existsSync(trash) ? readdirSync(trash) : [];
  return days.flatMap((name) => readdirSync(join(trash, name, 'pictures'))).sort();
}

async function trashPicture(browser: TestBrowser): Promise<string> {
  const { id } = await addPicture(browser);
  const response = await browser.request('DELETE', `/api/posts/pictures/${id}`);
  if (response.status !== 200) throw new Error(`the deletion answered ${response.status}`);
  return id;
}

/** Inserts rows of trashed pictures without files. */
const fill = async ({ deps }: TestApp, owner: TestBrowser, count: number, bytes: number) => {
  const { id: userId = '' } = (await userOf(owner)) ?? {};
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ id: `filler-${n}`, userId, bytes, trashedAt: deps.clock.now() },
  }));
  deps.db.insert(trashedPictures).values(rows).run();
};

test('deletes an account’s pictures in the trash with the account', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await addPicture(ann);
  const unused = await addPicture(ann);
  testApp.deps.db
    .update(pictures)
    .set({ unusedSince: testApp.clock.now() - 30 * day })
    .run();
  await testApp.deps.pictures.sweep();
  const [ofAnn, ofBob] = [await trashPicture(ann), await trashPicture(bob)];
  expect(inTrash(testApp)).toEqual(expect.arrayContaining([ofAnn, ofBob, unused.id]));

  expect((await ann.send('DELETE', '/api/account', { posts: 'keep' })).status).toBe(204);

  expect(inTrash(testApp)).toEqual([ofBob]);
  expect(testApp.deps.db.select().from(trashedPictures).all()).toMatchObject([{ id: ofBob }]);
});

test.each<[string, number, (first: number) => number]>([
  ['1,000 pictures', 999, () => 1],
  ['500 MB', 1, (first) => 524_288_000 - first],
])('keeps the latest %s of an account in the trash', async (_, count, otherBytes) => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  // The quota of members includes the trash.
  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  const { sweep } = testApp.deps.pictures;
  const ofBob = await trashPicture(bob);
  const first = await trashPicture(ann);
  const [row] = testApp.deps.db
    .select()
    .from(trashedPictures)
    .where(eq(trashedPictures.id, first))
    .all();
  testApp.clock.move(1);
  await fill(testApp, ann, count, otherBytes(row?.bytes ?? 0));
  await sweep();
  expect(inTrash(testApp)).toEqual([first, ofBob].sort());

  testApp.clock.move(1);
  const second = await trashPicture(ann);
  await sweep();

  expect(inTrash(testApp)).toEqual([second, ofBob].sort());
  expect(testApp.deps.db.select().from(trashedPictures).all()).toHaveLength(count + 2);
});

test('keeps a picture restored by an import when its former owner’s account is deleted', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const id = await trashPicture(ann);
  const row = { id, width: 60, height: 40, bytes: 100, alt: '', createdAt: 0, unusedSince: null };
  testApp.deps.db.insert(pictures).values(row).run();
  expect((await ann.send('DELETE', '/api/account', { posts: 'keep' })).status).toBe(204);
  expect(pictureRows(testApp)).toMatchObject([{ id }]);
  expect(inTrash(testApp)).toEqual([]);
});

test('deletes the rows of trashed pictures after 31 days', async () => {
  await using testApp = await makeTestApp();
  const { deps, clock } = testApp;
  await trashPicture(await signedInBrowser(testApp));
  clock.move(31 * day);
  await deleteOldTrashedPictures(deps);
  expect(deps.db.select().from(trashedPictures).all()).toHaveLength(1);
  clock.move(1);
  await deleteOldTrashedPictures(deps);
  expect(deps.db.select().from(trashedPictures).all()).toEqual([]);
});

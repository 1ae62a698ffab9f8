import { randomUUID } from 'node:crypto';
import type { Picture } from '@app/contract/blog/picture-replies';
import type { Post, PostSaved } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import { pictures } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { addPicture, pictureFolders, pictureRows } from '../../testing/pictures.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

async function twoAccounts() {
  const testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  return { testApp, ann, bob };
}

const showing = ({ path }: Picture, published = false) => ({
  title: `Title ${randomUUID()}`,
  content: `Text ![](${path})`,
  published,
});

async function save(browser: TestBrowser, post: object): Promise<Post> {
  const response = await browser.post('/api/posts', post);
  expect(response.status).toBe(201);
  return ((await response.json()) as PostSaved).post;
}

async function change(browser: TestBrowser, { id }: Post, fields: object): Promise<void> {
  expect((await browser.send('PATCH', `/api/posts/${id}`, fields)).status).toBe(200);
}

async function deleteAccount(browser: TestBrowser): Promise<void> {
  expect((await browser.send('DELETE', '/api/account', { posts: 'keep' })).status).toBe(204);
}

const statusOf = async (testApp: TestApp, { path }: Picture): Promise<number> =>
  (await testApp.browser().get(path)).status;

/** What another account can do with a picture, without publishing it. */
const uses: Record<string, (bob: TestBrowser, picture: Picture) => Promise<unknown>> = {
  async 'unsaved text'(bob, picture) {
    const { title, content } = showing(picture);
    const id = randomUUID();
    expect((await bob.send('PUT', `/api/posts/drafts/${id}`, { title, content })).status).toBe(200);
  },
  async 'unsaved text of a published post'(bob, picture) {
    const { id, slug, excerpt } = await save(bob, { title: 'T', content: 'C', published: true });
    const { title, content } = showing(picture);
    const fields = { title, slug, excerpt, content, baseVersion: 1 };
    expect((await bob.send('PUT', `/api/posts/drafts/${id}`, fields)).status).toBe(200);
  },
  draft: (bob, picture) => save(bob, showing(picture)),
  'the cover of a draft': (bob, { path }) =>
    save(bob, { title: 'T', content: 'C', coverImage: path }),
  async 'a post that was unpublished'(bob, picture) {
    await change(bob, await save(bob, showing(picture, true)), { published: false });
  },
  async 'a published post in the trash'(bob, picture) {
    const { id } = await save(bob, showing(picture, true));
    expect((await bob.send('DELETE', `/api/posts/${id}`, {})).status).toBe(200);
  },
  async 'an older version of a published post'(bob, picture) {
    await change(bob, await save(bob, showing(picture, true)), { content: 'No picture' });
  },
};

test.each(Object.keys(uses))('%s does not keep the picture of a deleted account', async (use) => {
  const { testApp, ann, bob } = await twoAccounts();
  await using _ = testApp;
  const picture = await addPicture(ann);
  await uses[use]?.(bob, picture);
  expect(await statusOf(testApp, picture)).toBe(200);

  await deleteAccount(ann);

  expect(await statusOf(testApp, picture)).toBe(404);
  expect([pictureRows(testApp), pictureFolders(testApp)]).toEqual([[], []]);
});

test('a published post keeps it, until it no longer shows it', async () => {
  const { testApp, ann, bob } = await twoAccounts();
  await using _ = testApp;
  const { clock, deps } = testApp;
  const [shown, unpublished] = [await addPicture(ann), await addPicture(ann)];
  const post = await save(bob, showing(shown, true));
  const other = await save(bob, showing(unpublished, true));
  await deleteAccount(ann);
  const left = async () => {
    await deps.pictures.sweep();
    return [await statusOf(testApp, shown), await statusOf(testApp, unpublished)];
  };
  clock.move(40 * day);
  expect(await left()).toEqual([200, 200]);

  const again = testApp.browser();
  const password = 'correct horse';
  await again.post('/api/auth/sign-in', { email: 'bob@example.com', password });
  await change(again, post, { title: 'Still shown' });
  await change(again, other, { published: false });
  expect(await left()).toEqual([200, 200]);
  clock.move(30 * day);
  expect(await left()).toEqual([200, 404]);
});

test('deletes any number of pictures', async () => {
  const { testApp, ann, bob } = await twoAccounts();
  await using _ = testApp;
  const { path, id } = await addPicture(ann);
  const { userId = null } = pictureRows(testApp)[0] ?? {};
  const fill = { userId, width: 1, height: 1, bytes: 1, alt: '', createdAt: 1, unusedSince: null };
  const rows = Array.from({ length: 23 }, (_, index) => ({ id: `picture${index}`, ...fill }));
  testApp.deps.db.insert(pictures).values(rows).run();
  await save(bob, { title: 'T', content: `![](${path})`, published: true });
  await deleteAccount(ann);
  expect(pictureRows(testApp)).toMatchObject([{ id, userId: null }]);
});

test('drafts that were imported without an author keep their pictures', async () => {
  const { testApp, ann } = await twoAccounts();
  await using _ = testApp;
  const { deps, clock } = testApp;
  const picture = await addPicture(ann);
  await save(ann, showing(picture));
  deps.db.update(pictures).set({ userId: null }).where(eq(pictures.id, picture.id)).run();
  deps.db.run('update blog_posts set author_id = null');
  for (let month = 0; month < 3; month += 1) {
    clock.move(30 * day);
    await deps.pictures.sweep();
  }
  expect(await statusOf(testApp, picture)).toBe(200);
});

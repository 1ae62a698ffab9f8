import { randomUUID } from 'node:crypto';
import type { PostSaved } from '@app/contract/blog/posts';
import { serverMessages } from '@app/contract/messages';
import { users } from '@app/db/schema/accounts';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { pictureRows, putAvatar, smallPicture, uploadPicture } from '../../testing/pictures.ts';
import { settledRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  userOf,
} from '../../testing/test-app.ts';
import { storedTextBytes } from './stored-text.ts';

const quotas = { posts: 3, textBytes: 1_048_576, publishesPerHour: 4 };

async function member(change: Partial<typeof quotas> = {}) {
  const testApp = await makeTestApp({
    publishes: true,
    settings: { quotas: { ...quotas, ...change } },
  });
  const ann = await signedInBrowser(testApp);
  return { testApp, ann };
}

let number = 0;
async function save(browser: TestBrowser, post: object = {}): Promise<Response> {
  number += 1;
  return browser.post('/api/posts', { title: `Post ${number}`, content: 'Text', ...post });
}
const idOf = async (response: Response): Promise<string> =>
  ((await response.json()) as PostSaved).post.id;

test('limits the number of posts per member', async () => {
  const { testApp, ann } = await member();
  await using _ = testApp;
  const id = await idOf(await save(ann));
  await save(ann);
  await save(ann);
  const before = await settledRows(testApp);

  const refused = await save(ann);

  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    code: 'quota_exceeded',
    detail:
      'An account can have at most 3 posts. Posts in the trash count, too. Delete one forever there, then try again.',
  });
  expect(await settledRows(testApp)).toEqual(before);
  await ann.send('DELETE', `/api/posts/${id}`, {});
  expect((await save(ann)).status).toBe(403);
  await ann.post(`/api/posts/${id}/delete-forever`, {});
  expect((await save(ann)).status).toBe(201);
});

test('limits concurrently saved posts', async () => {
  const { testApp, ann } = await member();
  await using _ = testApp;
  const saved = await Promise.all(Array.from({ length: 8 }, () => save(ann)));
  expect(saved.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(5).fill(403)]);
});

const tooMuchText =
  'An account can store at most 1 MB of text, including the trash, older versions and unsaved texts. Shorten this text, or delete a post forever in the trash.';

const storedBy = async (testApp: TestApp, browser: TestBrowser): Promise<number> =>
  storedTextBytes(testApp.deps.db, (await userOf(browser))?.id ?? '');

/** Attempts to store unsaved text are counted. */
async function rowsOf(testApp: TestApp): Promise<object> {
  const { rate_limits: _, ...rows } = await settledRows(testApp);
  return rows;
}

const change = (browser: TestBrowser, id: string, fields: object): Promise<Response> =>
  browser.send('PATCH', `/api/posts/${id}`, fields);

/** 140 kB in UTF-8. */
const long = '水道 '.repeat(20_000);

test('limits all text that an account stores: posts, HTML, versions and unsaved texts', async () => {
  const { testApp, ann } = await member({ posts: 100 });
  await using _ = testApp;
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const id = await idOf(await save(ann, { content: long }));
  const one = await storedBy(testApp, ann);
  expect(one).toBeGreaterThan(4 * 140_000);
  const unsaved = { content: long };
  expect((await ann.send('PUT', `/api/posts/drafts/${randomUUID()}`, unsaved)).status).toBe(200);
  expect(await storedBy(testApp, ann)).toBeGreaterThan(one + 140_000);
  // As long as before, but each save stores a version.
  const other = long.replaceAll('道', '管');
  expect((await change(ann, id, { content: other })).status).toBe(200);
  expect(await storedBy(testApp, ann)).toBeGreaterThan(one + 280_000);
  const before = await rowsOf(testApp);

  for (const refused of [
    await save(ann, { content: long }),
    await change(ann, id, { content: long }),
    await ann.send('PUT', `/api/posts/drafts/${randomUUID()}`, unsaved),
  ]) {
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'quota_exceeded', detail: tooMuchText });
  }

  expect(await rowsOf(testApp)).toEqual(before);
  expect(await storedBy(testApp, ann)).toBeLessThanOrEqual(1_048_576);
  expect((await save(bob, { content: long })).status).toBe(201);
});

test('an account that stores too much can shorten, unpublish, delete and restore', async () => {
  const { testApp, ann } = await member({ posts: 100 });
  await using _ = testApp;
  const shortened = await idOf(await save(ann, { content: long }));
  const published = await idOf(await save(ann, { content: 'Short', published: true }));
  const draft = randomUUID();
  await ann.send('PUT', `/api/posts/drafts/${draft}`, { content: long });
  testApp.deps.settings.quotas.textBytes = 0;

  expect((await change(ann, published, { content: 'As it is' })).status).toBe(403);
  expect((await change(ann, published, { published: false })).status).toBe(200);
  expect((await change(ann, shortened, { content: 'Short' })).status).toBe(200);
  const typed = await ann.send('PUT', `/api/posts/drafts/${draft}`, { content: 'Short' });
  expect(typed.status).toBe(200);
  expect((await ann.send('DELETE', `/api/posts/${shortened}`, {})).status).toBe(200);
  expect((await ann.post(`/api/posts/${shortened}/restore`, {})).status).toBe(200);
});

test('limits the text of concurrent saves', async () => {
  const { testApp, ann } = await member({ posts: 100 });
  await using _ = testApp;
  const saved = await Promise.all([1, 2, 3].map(() => save(ann, { content: long })));
  expect(saved.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
});

test('counts no text that was deleted', async () => {
  const { testApp, ann } = await member({ posts: 100, textBytes: 100_000_000 });
  await using _ = testApp;
  const { db } = testApp.deps;
  const versions = () =>
    db.get<{ bytes: number }>(sql`select ifnull(sum(bytes), 0) as bytes from blog_post_revisions`);
  const counted = () => db.get<{ bytes: number }>(sql`select bytes from blog_history_sizes`);
  const id = await idOf(await save(ann, { content: long }));
  // More than the history of a post can have.
  for (let n = 0; n < 32; n += 1) await change(ann, id, { content: `${n} ${long}` });
  expect(versions().bytes).toBeLessThan(4_194_304);
  expect(counted()).toEqual(versions());

  await ann.send('DELETE', `/api/posts/${id}`, {});
  expect(await storedBy(testApp, ann)).toBeGreaterThan(4_000_000);
  await ann.post(`/api/posts/${id}/delete-forever`, {});
  expect(await storedBy(testApp, ann)).toBe(0);

  await save(ann, { published: true });
  expect(counted().bytes).toBeGreaterThan(0);
  await ann.send('DELETE', '/api/account', { posts: 'keep' });
  expect(versions().bytes).toBeGreaterThan(0);
  expect(counted()).toBeUndefined();
});

describe('when little space is left on the disk', () => {
  async function withLittleSpace() {
    const testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    const id = await idOf(await save(ann, { published: true }));
    const short = new Set<string>(['member']);
    testApp.deps.diskSpace.isShort = (role) => short.has(role);
    return { testApp, ann, id, short };
  }

  test('members store nothing, and staff can', async () => {
    const { testApp, ann, id, short } = await withLittleSpace();
    await using _ = testApp;
    const attempts = async () => [
      await save(ann),
      await change(ann, id, { content: 'Changed' }),
      await ann.send('PUT', `/api/posts/drafts/${randomUUID()}`, { content: 'Typed' }),
      await uploadPicture(ann, await smallPicture()),
      await putAvatar(ann, await smallPicture()),
    ];
    const before = await rowsOf(testApp);
    for (const response of await attempts()) {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '60']);
      expect(await response.json()).toMatchObject({ detail: serverMessages.noSpace });
    }
    expect(await rowsOf(testApp)).toEqual(before);

    testApp.deps.db.update(users).set({ role: 'staff' }).run();
    for (const { ok } of await attempts()) expect(ok).toBe(true);
    short.add('staff');
    for (const { status } of await attempts()) expect(status).toBe(503);
  });

  test('a picture is refused if the space was used up meanwhile', async () => {
    const { testApp, ann, short } = await withLittleSpace();
    await using _ = testApp;
    short.clear();
    const { images } = testApp.deps;
    const { resizePicture } = images;
    images.resizePicture = (...given) => {
      short.add('member');
      return resizePicture(...given);
    };
    expect((await uploadPicture(ann, await smallPicture())).status).toBe(503);
    expect(pictureRows(testApp)).toEqual([]);
  });

  test('members can still unpublish and delete', async () => {
    const { testApp, ann, id } = await withLittleSpace();
    await using _ = testApp;
    expect((await change(ann, id, { published: false })).status).toBe(200);
    expect((await ann.send('DELETE', `/api/posts/${id}`, {})).status).toBe(200);
  });
});

test('limits publishing per hour, but not unpublishing or saving drafts', async () => {
  const { testApp, ann } = await member();
  await using _ = testApp;
  const id = await idOf(await save(ann, { published: true }));
  const publish = (published = true) => ann.send('PATCH', `/api/posts/${id}`, { published });
  for (let times = 1; times < 4; times += 1) expect((await publish()).status).toBe(200);
  testApp.clock.move(45 * 60_000);
  const before = await settledRows(testApp);

  const refused = await publish();

  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe(String(15 * 60));
  expect(await refused.json()).toMatchObject({
    detail:
      'An account can publish at most 4 times an hour. Save it as a draft, or try again in 15 minutes.',
  });
  expect(await settledRows(testApp)).toEqual(before);
  expect((await publish(false)).status).toBe(200);
  expect((await save(ann)).status).toBe(201);
  testApp.clock.move(15 * 60_000);
  expect((await publish()).status).toBe(200);
});

test('does not lock out members after the clock was set back', async () => {
  const { testApp, ann } = await member({ publishesPerHour: 1 });
  await using _ = testApp;
  await save(ann, { published: true });
  testApp.clock.move(-60_000);
  expect((await save(ann, { published: true })).status).toBe(201);
});

test('staff have no quota', async () => {
  const { testApp, ann } = await member({ posts: 0, publishesPerHour: 0, textBytes: 0 });
  await using _ = testApp;
  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  expect((await save(ann, { published: true })).status).toBe(201);
});

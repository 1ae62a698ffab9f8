import type { PostSaved } from '@app/contract/blog/posts';
import { users } from '@app/db/schema/accounts';
import { expect, test } from 'vitest';
import { settledRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';

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

test('limits the text of a member’s posts in bytes, except when shortened', async () => {
  const { testApp, ann } = await member({ posts: 100 });
  await using _ = testApp;
  const long = '水道 '.repeat(60_000);
  const id = await idOf(await save(ann, { content: long }));
  const other = await idOf(await save(ann, { content: long }));
  await save(ann, { content: 'Text '.repeat(36_000) });
  const before = await settledRows(testApp);

  for (const refused of [
    await save(ann, { content: long }),
    await ann.send('PATCH', `/api/posts/${id}`, { content: `${long}${'ü '.repeat(9_999)}` }),
  ]) {
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: 'quota_exceeded',
      detail:
        'The posts of an account can have at most 1 MB of text. Posts in the trash count, too. Shorten this post, or delete one forever there.',
    });
  }

  expect(await settledRows(testApp)).toEqual(before);
  expect((await ann.send('PATCH', `/api/posts/${other}`, { content: 'Short' })).status).toBe(200);
  expect((await save(ann, { content: 'Text' })).status).toBe(201);
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

import type { PostSaved } from '@app/contract/blog';
import { sessions, users } from '@app/db/schema/accounts';
import { expect, test } from 'vitest';
import { holdRequest } from '../testing/held-request.ts';
import { allRows } from '../testing/tables.ts';
import { makeTestApp, signedInBrowser } from '../testing/test-app.ts';

const post = {
  title: 'Title',
  content: 'Text',
  slug: 'slug',
  excerpt: '',
  coverImage: '',
  published: true,
};

test('a held edit does not publish a post that was withdrawn meanwhile', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const created = (await (await ann.post('/api/posts', post)).json()) as PostSaved;
  const path = `/api/posts/${created.post.id}`;
  const held = holdRequest(bob, 'PATCH', path, { body: JSON.stringify({ published: true }) });
  await held.isAwaited;
  await ann.send('PATCH', path, { published: false });
  const before = allRows(testApp.deps.db);

  const response = await held.release();

  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain(post.title);
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test.each([
  ['the session ended', 401],
  ['the account was deleted', 401],
  ['the role was taken away', 403],
] as const)('a held post is not created once %s', async (what, status) => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const { db } = testApp.deps;
  const ann = await signedInBrowser(testApp);
  db.update(users).set({ role: 'staff' }).run();
  const held = holdRequest(ann, 'POST', '/api/posts', { body: JSON.stringify(post) });
  await held.isAwaited;
  if (status === 403) db.update(users).set({ role: 'member' }).run();
  else if (what.includes('account')) db.delete(users).run();
  else db.delete(sessions).run();
  const before = allRows(db);

  expect((await held.release()).status).toBe(status);

  expect(allRows(db)).toEqual(before);
});

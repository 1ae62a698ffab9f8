import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import { accountMessages } from '@app/contract/accounts/messages';
import { limits } from '@app/contract/limits';
import { users } from '@app/db/schema/accounts';
import { describe, expect, test, vi } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import {
  email,
  idOf,
  requestDeletion,
  rowsAbout,
  twoWriters,
} from '../../testing/account-deletion.ts';
import { plainPicture, putAvatar } from '../../testing/pictures.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, publicUrl, signedInBrowser, type TestApp } from '../../testing/test-app.ts';

test('deletes only the user’s own avatars', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const urls: string[] = [];
  for (const browser of [ann, bob]) {
    const saved = await putAvatar(browser, await plainPicture().png().toBuffer());
    urls.push(((await saved.json()) as AvatarSaved).avatarUrl);
  }
  await putAvatar(ann, await plainPicture().png().toBuffer());
  await testApp.deps.avatars.settled();
  const folders = () => readdirSync(join(testApp.dataDir, 'uploads', 'avatars'));
  const trash = () => readdirSync(join(testApp.dataDir, 'trash'), { recursive: true }).join();
  expect(folders()).toHaveLength(2);
  const id = await idOf(testApp, email);
  expect(trash()).toContain(id);

  await requestDeletion(ann);

  expect(folders()).toEqual([await idOf(testApp, 'bob@example.com')]);
  expect(trash()).not.toContain(id);
  const statuses = urls.map(async (url) => (await testApp.browser().get(url)).status);
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});

test('logs avatars that cannot be deleted, and deletes the rest', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const logged = vi.spyOn(testApp.deps.log, 'error');
  testApp.deps.avatars.removeAll = () => Promise.reject(new Error('the disk is read-only'));
  expect((await requestDeletion(ann)).status).toBe(204);
  expect(await testApp.deps.db.select().from(users)).toEqual([]);
  expect(logged).toHaveBeenCalledOnce();
});

test('clears the cookies and ends all sessions', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const phone = testApp.browser();
  await phone.post('/api/auth/sign-in', { email, password: 'correct horse' });

  await requestDeletion(ann);

  expect([...ann.cookies.keys()]).toEqual([]);
  expect(await (await phone.get('/api/auth/session')).json()).toEqual({ user: null });
  const again = await phone.post('/api/auth/sign-in', { email, password: 'correct horse' });
  expect(again.status).toBe(401);
});

test.each([
  ['keep', 'stay on the blog, without your name'],
  ['delete', 'all your posts are deleted'],
])('emails what was deleted and what remains (%s)', async (posts, text) => {
  await using testApp = await makeTestApp({ renderEmail });
  const ann = await signedInBrowser(testApp, email);
  await testApp.browser().post('/api/newsletter', { email });
  await requestDeletion(ann, posts);
  await testApp.deps.outbox.drain();

  const sentEmail = testApp.emails.sent.find(({ kind }) => kind === 'account-deleted');
  expect(sentEmail?.to).toBe(email);
  expect(sentEmail?.text.replace(/\s+/g, ' ')).toContain(text);
  expect(rowsAbout(testApp, email)).toEqual(['newsletter_subscriptions']);
});

test('the email can sign up again, without the data of the old account', async () => {
  await using testApp = await makeTestApp();
  const { ann } = await twoWriters(testApp);
  const before = await idOf(testApp, email);
  await requestDeletion(ann);

  const again = await signedInBrowser(testApp, email, null);

  expect(await idOf(testApp, email)).not.toBe(before);
  expect(await (await again.get('/api/auth/session')).json()).toMatchObject({
    user: { username: null, fullName: null },
  });
  const { posts } = (await (await again.get('/api/posts?drafts=true')).json()) as {
    posts: { slug: string }[];
  };
  expect(posts.map(({ slug }) => slug).sort()).toEqual(['after', 'of-ann', 'of-bob']);
});

test('requires a recent sign-in', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  testApp.clock.move(limits.recentSignIn);
  const rows = allRows(testApp.deps.db);
  const response = await requestDeletion(ann);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'sign_in_again',
    detail: accountMessages.reauthentication.description,
  });
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

test.each([{}, { posts: '' }, { posts: 'all' }, { posts: true }, { posts: 'keep', userId: 'bob' }])(
  'requires a choice for posts: rejects %j',
  async (body) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    const rows = allRows(testApp.deps.db);
    expect((await ann.send('DELETE', '/api/account', body)).status).toBe(422);
    expect(allRows(testApp.deps.db)).toEqual(rows);
  },
);

describe('a form without JavaScript', () => {
  test.each<[string, string, (testApp: TestApp) => void]>([
    ['delete', '/auth#account-deleted', () => undefined],
    ['', '/profile#deletion-invalid', () => undefined],
    ['keep', '/profile#again', ({ clock }) => clock.move(limits.recentSignIn)],
  ])('with %j is redirected to %s', async (posts, page, prepare) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    prepare(testApp);
    const response = await ann.submit('/api/account/delete', { posts });
    expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
    const isDeleted = page.startsWith('/auth');
    expect(await testApp.deps.db.select().from(users)).toHaveLength(isDeleted ? 0 : 1);
  });
});

test('rejects deletions from other sites', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const response = await ann.request('POST', '/api/account/delete', {
    headers: { Origin: `${publicUrl}.evil.example` },
    body: new URLSearchParams({ posts: 'delete' }),
  });
  expect(response.status).toBe(403);
  expect(await testApp.deps.db.select().from(users)).toHaveLength(1);
});

import { accountMessages } from '@app/contract/accounts/messages';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { day } from '@app/contract/durations';
import { emailTokens, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';

const email = 'ann@example.com';
const noProfile = { username: null, fullName: null, avatarUrl: null };
const password = 'correct horse';

const signIn = (testApp: TestApp, fields: Record<string, string>) =>
  testApp.browser().post('/api/auth/sign-in', fields);

test('signs in with the right password', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email, null);
  const browser = testApp.browser();

  const response = await browser.post('/api/auth/sign-in', { email: 'ANN@example.com', password });

  expect(response.status).toBe(200);
  const reply = await response.json();
  expect(reply).toEqual({
    user: { id: expect.any(String), email, mayWrite: true, isStaff: false, ...noProfile },
  });
  expect(await (await browser.get('/api/auth/session')).json()).toEqual(reply);
});

test('replies the same to a wrong password and an unknown email', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const answer = async (fields: Record<string, string>) => {
    const response = await signIn(testApp, fields);
    const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>;
    return { cookies: response.headers.getSetCookie(), problem };
  };

  const wrong = await answer({ email, password: 'wrong horse' });
  const unknown = await answer({ email: 'nobody@example.com', password });

  expect(wrong).toMatchObject({
    cookies: [],
    problem: { status: 401, code: 'invalid_credentials', detail: accountMessages.signIn.wrong },
  });
  expect(unknown).toEqual(wrong);
});

test('rejects every password for an account without one', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  await testApp.deps.db.update(users).set({ passwordHash: null }).where(eq(users.email, email));
  expect((await signIn(testApp, { email, password: 'nobody has this password' })).status).toBe(401);
});

test('tells any browser with the password of a sign-up that the email is not confirmed', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  await testApp.browser().post('/api/auth/sign-up', { email, password: 'another sign-up' });

  for (const typed of [password, 'another sign-up']) {
    const response = await signIn(testApp, { email, password: typed });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.json()).toMatchObject({
      code: 'email_not_confirmed',
      title: accountMessages.signIn.notConfirmed.title,
      detail: accountMessages.signIn.notConfirmed.description,
    });
  }
  expect((await signIn(testApp, { email, password: 'wrong horse' })).status).toBe(401);
  // The link has expired, but can be sent again.
  testApp.clock.move(2 * day);
  expect((await signIn(testApp, { email, password })).status).toBe(403);
});

test('an account of an earlier version can be confirmed after another sign-up', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  const passwordHash = await testApp.deps.passwords.hash(password);
  await testApp.deps.db.update(users).set({ passwordHash });
  await testApp.deps.db.update(emailTokens).set({ passwordHash });
  await testApp.browser().post('/api/auth/sign-up', { email, password: 'another sign-up' });
  expect((await signIn(testApp, { email, password })).status).toBe(403);
  expect((await signIn(testApp, { email, password: 'another sign-up' })).status).toBe(403);
});

test.each([
  [{ email, password }, '/blog'],
  [
    { email, password: 'wrong horse' },
    `/auth/again?entered=${encodeURIComponent(email)}#invalid-credentials`,
  ],
  [{ email: 'new@example.com', password }, '/auth/again?entered=new%40example.com#not-confirmed'],
  [{ email: '', password: '' }, '/auth#email-password-required'],
])('redirects a form without JavaScript with %j to %s', async (fields, page) => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const browser = testApp.browser();
  await browser.post('/api/auth/sign-up', { email: 'new@example.com', password });

  const response = await browser.submit('/api/auth/sign-in', fields);

  expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
});

test('shows the typed email again, but never to a signed-in user', async () => {
  await using testApp = await makeTestApp();
  const page = await testApp.browser().get('/auth/again?entered=vera%40example.com');
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await page.text()).toContain('vera@example.com');
  for (const entered of ['', 'x'.repeat(400)]) {
    const other = await testApp.browser().get(`/auth/again?entered=${entered}`);
    expect([other.status, other.headers.get('Location')]).toEqual([303, '/auth']);
  }
  const ann = await signedInBrowser(testApp, email);
  const signedIn = await ann.get('/auth/again?entered=vera%40example.com&next=%2Fprofile');
  expect([signedIn.status, signedIn.headers.get('Location')]).toEqual([303, '/profile']);
});

test('returns no user for a visitor', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().get('/api/auth/session');
  expect(await response.json()).toEqual({ user: null });
  expect(response.headers.get('Cache-Control')).toBe('no-store');
});

test('with AUTHORING=team, only staff may write', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const browser = await signedInBrowser(testApp, email);
  const mayWrite = async () =>
    ((await (await browser.get('/api/auth/session')).json()) as SessionReply).user?.mayWrite;

  expect(await mayWrite()).toBe(false);
  await testApp.deps.db.update(users).set({ role: 'staff' }).where(eq(users.email, email));
  expect(await mayWrite()).toBe(true);
});

import { accountMessages } from '@app/contract/accounts/messages';
import { limits } from '@app/contract/limits';
import { sessions, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';

const email = 'ann@example.com';
const password = 'correct horse';

const again = (browser: TestBrowser, typed = password) =>
  browser.post('/api/auth/sign-in-again', { password: typed });

test('the right password starts a new, recent session', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const phone = testApp.browser();
  await phone.post('/api/auth/sign-in', { email, password });
  const before = browser.cookies.get('session') ?? '';
  testApp.clock.move(limits.recentSignIn);

  const response = await again(browser);

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ user: { email } });
  expect(browser.cookies.get('session')).not.toBe(before);
  const { db, sessions: living } = testApp.deps;
  expect(await living.find(before)).toBeNull();
  expect((await living.find(browser.cookies.get('session') ?? ''))?.session.signedInAt).toBe(
    testApp.clock.now(),
  );
  expect(await living.find(phone.cookies.get('session') ?? '')).not.toBeNull();
  expect(await db.select().from(sessions)).toHaveLength(2);
});

test('a wrong password changes nothing', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const before = await testApp.deps.db.select().from(sessions);

  const response = await again(browser, 'wrong horse');

  expect(response.status).toBe(401);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await response.json()).toMatchObject({
    code: 'invalid_credentials',
    detail: accountMessages.reauthentication.wrong,
  });
  expect(await testApp.deps.db.select().from(sessions)).toEqual(before);
});

test('rejects another user’s password', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  await testApp
    .browser()
    .post('/api/auth/sign-up', { email: 'bob@example.com', password: 'bobs password' });
  expect((await again(browser, 'bobs password')).status).toBe(401);
});

test('rejects any password for an account without one', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  await testApp.deps.db.update(users).set({ passwordHash: null }).where(eq(users.email, email));
  expect((await again(browser, 'nobody has this password')).status).toBe(401);
});

test('limits guesses with a stolen session to ten', async () => {
  await using testApp = await makeTestApp();
  const { cookies } = await signedInBrowser(testApp, email);
  const thief = testApp.browser();
  thief.cookies.set('session', cookies.get('session') ?? '');
  for (let n = 0; n < 10; n += 1) expect((await again(thief, 'wrong horse')).status).toBe(401);
  const refused = await again(thief);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
});

test('redirects a form without JavaScript to the settings', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const submit = async (from: TestBrowser, typed: string) => {
    const response = await from.submit('/api/auth/sign-in-again', { password: typed });
    return [response.status, response.headers.get('Location')];
  };
  expect(await submit(browser, password)).toEqual([303, '/profile#settings']);
  expect(await submit(browser, 'wrong horse')).toEqual([303, '/profile#again-wrong']);
  expect(await submit(browser, '')).toEqual([303, '/profile#again-required']);
  expect(await submit(testApp.browser(), password)).toEqual([303, '/auth?next=%2Fprofile']);
  for (let n = 0; n < 10; n += 1) await submit(browser, 'wrong horse');
  expect(await submit(browser, password)).toEqual([303, '/profile#too-many']);
});

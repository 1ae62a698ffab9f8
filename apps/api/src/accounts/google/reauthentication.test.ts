import { limits } from '@app/contract/limits';
import { users } from '@app/db/schema/accounts';
import { expect, test } from 'vitest';
import {
  ann,
  goToGoogle,
  leadsTo,
  signInWithGoogle,
  startWithGoogle,
} from '../../testing/google.ts';
import type { TestApp, TestBrowser } from '../../testing/test-app.ts';

const again = '/api/auth/google?again';

async function startSignedIn() {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  await signInWithGoogle(browser, provider);
  testApp.clock.move(limits.recentSignIn);
  return { testApp, provider, browser };
}

/** The milliseconds since the user last signed in. */
async function sinceProof({ deps, clock }: TestApp, browser: TestBrowser): Promise<number> {
  const signedIn = await deps.sessions.find(browser.cookies.get('session') ?? '');
  return clock.now() - (signedIn?.session.signedInAt ?? 0);
}

const seconds = ({ clock }: TestApp) => Math.floor(clock.now() / 1_000);

test('signing in again starts a new session', async () => {
  const { testApp, provider, browser } = await startSignedIn();
  const before = browser.cookies.get('session') ?? '';
  expect(await sinceProof(testApp, browser)).toBe(limits.recentSignIn);
  provider.person = { ...ann, auth_time: seconds(testApp) };

  expect(await signInWithGoogle(browser, provider, again)).toBe('/profile#settings');

  expect(await sinceProof(testApp, browser)).toBe(0);
  expect(await testApp.deps.sessions.find(before)).toBeNull();
  const attempt = provider.authorizationRequests.at(-1);
  expect([attempt?.get('prompt'), attempt?.get('max_age')]).toEqual(['login', '0']);
});

test.each([
  ['with an old sign-in time', -(limits.recentSignIn / 1_000)],
  ['with a sign-in time in the future', 61],
  ['without a sign-in time', undefined],
  ['with a sign-in time that is not a number', '2026-03-01'],
])('rejects an id token %s', async (_, offset) => {
  const { testApp, provider, browser } = await startSignedIn();
  const authTime = typeof offset === 'number' ? seconds(testApp) + offset : offset;
  provider.person = { ...ann, auth_time: authTime };
  expect(await signInWithGoogle(browser, provider, again)).toBe('/profile#google-failed');
  expect(await sinceProof(testApp, browser)).toBe(limits.recentSignIn);
});

test('rejects another Google account without creating an account', async () => {
  const { testApp, provider, browser } = await startSignedIn();
  provider.person = {
    ...ann,
    sub: 'another-one',
    email: 'other@example.com',
    auth_time: seconds(testApp),
  };
  expect(await signInWithGoogle(browser, provider, again)).toBe('/profile#google-failed');
  expect(await sinceProof(testApp, browser)).toBe(limits.recentSignIn);
  expect(await testApp.deps.db.select().from(users)).toHaveLength(1);
});

test('requires a signed-in user', async () => {
  const { testApp, provider } = await startWithGoogle();
  const visitor = testApp.browser();
  const answer = await visitor.get(again);
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: 'not_signed_in' });
  const page = await visitor.request('GET', again, { headers: { Accept: 'text/html' } });
  expect(leadsTo(page)).toBe('/auth?next=%2Fprofile');
  expect(provider.authorizationRequests).toEqual([]);
});

test('fails if the account is deleted during the attempt', async () => {
  const { testApp, provider, browser } = await startSignedIn();
  provider.person = { ...ann, auth_time: seconds(testApp) };
  const path = await goToGoogle(browser, provider, again);
  await testApp.deps.db.delete(users);
  expect(leadsTo(await browser.get(path))).toMatch(/^\/auth\?error=/);
  expect(await testApp.deps.db.select().from(users)).toEqual([]);
});

import { accountMessages } from '@app/contract/accounts/messages';
import { hour } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { sessions, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { emailedKinds } from '../../testing/submissions.ts';
import { allRows } from '../../testing/tables.ts';
import {
  isSignedIn,
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  tokenEmailedTo,
} from '../../testing/test-app.ts';

const email = 'ann@example.com';
const before = 'correct horse';
const after = 'battery staple';

const signIn = (browser: TestBrowser, password: string) =>
  browser.post('/api/auth/sign-in', { email, password });
const change = (browser: TestBrowser, password = after) =>
  browser.send('PUT', '/api/auth/password', { password });

async function otherBrowser(testApp: TestApp): Promise<TestBrowser> {
  const browser = testApp.browser();
  expect((await signIn(browser, before)).status).toBe(200);
  return browser;
}

test('the new password signs in, the old one does not', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);

  const response = await change(ann);

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ user: { email } });
  expect((await signIn(testApp.browser(), before)).status).toBe(401);
  expect((await signIn(testApp.browser(), after)).status).toBe(200);
});

test('ends other sessions, and starts a new one in this browser', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const thief = await otherBrowser(testApp);
  const old = testApp.browser();
  old.cookies.set('session', ann.cookies.get('session') ?? '');

  await change(ann);

  expect(await isSignedIn(ann)).toBe(true);
  expect(await isSignedIn(thief)).toBe(false);
  expect(await isSignedIn(old)).toBe(false);
  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
});

test('ends emailed links', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const thief = await otherBrowser(testApp);
  await thief.post('/api/auth/email', { email: 'thief@example.com' });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, 'thief@example.com');

  await change(ann);

  expect((await thief.post('/api/auth/change-email', { token })).status).toBe(410);
  const [user] = await testApp.deps.db.select().from(users);
  expect(user?.email).toBe(email);
});

test('notifies the owner, with a link to reset the password', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  await change(ann);
  await testApp.deps.outbox.drain();
  const sentEmail = testApp.emails.sent.at(-1);
  expect(sentEmail).toMatchObject({ kind: 'password-changed', to: email });
  expect(sentEmail?.text).toContain('/auth/forgot');
});

test('sets a first password for an account without one', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  await testApp.deps.db.update(users).set({ passwordHash: null });
  expect((await change(ann)).status).toBe(200);
  expect((await signIn(testApp.browser(), after)).status).toBe(200);
});

test('requires a recent sign-in', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  testApp.clock.move(limits.recentSignIn - 1);
  expect((await change(ann)).status).toBe(200);
  testApp.clock.move(limits.recentSignIn);
  const rows = allRows(testApp.deps.db);

  const response = await change(ann, 'another one');

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'sign_in_again',
    detail: accountMessages.reauthentication.description,
  });
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

test('of 50 concurrent changes from one session, one succeeds', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const cookie = `session=${ann.cookies.get('session')}`;
  const body = JSON.stringify({ password: after });
  const headers = { 'Content-Type': 'application/json', Cookie: cookie };

  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      testApp.browser().request('PUT', '/api/auth/password', { headers, body }),
    ),
  );

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  // 429 and 503: too many of one account in an hour, or at once.
  for (const status of statuses.slice(1)) expect([401, 429, 503]).toContain(status);
  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
  const kinds = await emailedKinds(testApp);
  expect(kinds.filter((kind) => kind === 'password-changed')).toHaveLength(1);
});

test('limits an account to ten password changes per hour', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  for (let n = 1; n <= 10; n += 1) {
    expect((await change(ann, `battery staple ${n}`)).status).toBe(200);
  }
  await testApp.deps.outbox.drain();
  const rows = allRows(testApp.deps.db);
  const hash = vi.spyOn(testApp.deps.passwords, 'hash');

  const refused = await change(ann, 'one too many');

  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600']);
  expect(await refused.json()).toMatchObject({
    code: 'too_many_requests',
    detail: accountMessages.limits.accounts(3_600),
  });
  const form = await ann.submit('/api/auth/password', { password: 'one too many' });
  expect([form.status, form.headers.get('Location')]).toEqual([303, '/profile#password-failed']);
  expect(hash).not.toHaveBeenCalled();
  expect(allRows(testApp.deps.db)).toEqual(rows);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  expect((await change(bob)).status).toBe(200);
  testApp.clock.move(hour);
  expect((await signIn(ann, 'battery staple 10')).status).toBe(200);
  expect((await change(ann)).status).toBe(200);
});

test('a change in progress fails when the owner signs out all sessions', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const thief = await otherBrowser(testApp);
  const { passwords } = testApp.deps;
  const hash = passwords.hash;
  passwords.hash = async (password) => {
    passwords.hash = hash;
    await ann.request('DELETE', '/api/auth/sessions');
    return hash(password);
  };

  const response = await change(thief, 'the thief’s own');

  expect(response.status).toBe(401);
  expect(await isSignedIn(ann)).toBe(true);
  expect((await signIn(testApp.browser(), before)).status).toBe(200);
  expect(await emailedKinds(testApp)).not.toContain('password-changed');
});

test.each([
  ['', messages.field.passwordRequired],
  ['12345', messages.field.passwordTooShort],
  ['password1', accountMessages.password.common],
  ['x'.repeat(257), messages.field.tooLong(256)],
])('rejects the password %j', async (password, message) => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const rows = allRows(testApp.deps.db);
  const response = await change(ann, password);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ issues: [{ path: 'password', message }] });
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

test('does not change or truncate passwords of up to 256 characters', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const long = ` ${'ü'.repeat(254)}.`;
  await change(ann, long);
  expect((await signIn(testApp.browser(), long.slice(0, -1))).status).toBe(401);
  expect((await signIn(testApp.browser(), long.trim())).status).toBe(401);
  expect((await signIn(testApp.browser(), long)).status).toBe(200);
});

describe('a form without JavaScript', () => {
  test.each<[string, string, (testApp: TestApp) => void]>([
    [after, '/profile#password-changed', () => undefined],
    ['short', '/profile#password-invalid', () => undefined],
    ['password1', '/profile#password-common', () => undefined],
    [after, '/profile#again', ({ clock }) => clock.move(limits.recentSignIn)],
  ])('with %j is redirected to %s', async (password, page, prepare) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    prepare(testApp);
    const response = await ann.submit('/api/auth/password', { password });
    expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
    const isChanged = page.endsWith('changed');
    expect((await signIn(testApp.browser(), after)).status).toBe(isChanged ? 200 : 401);
  });
});

test('redirects the form of a signed-out user to the sign-in page', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().submit('/api/auth/password', { password: after });
  expect([response.status, response.headers.get('Location')]).toEqual([
    303,
    '/auth?next=%2Fprofile',
  ]);
});

test('changes only the user’s own password', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  await signedInBrowser(testApp, 'bob@example.com');
  const hashOfBob = async () =>
    (await testApp.deps.db.select().from(users).where(eq(users.email, 'bob@example.com')))[0]
      ?.passwordHash;
  const rows = await hashOfBob();
  await change(ann);
  expect(await hashOfBob()).toBe(rows);
  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(2);
});

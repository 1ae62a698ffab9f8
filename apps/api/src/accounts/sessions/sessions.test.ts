import { day, minute } from '@app/contract/durations';
import { sessions } from '@app/db/schema/accounts';
import { setWritable } from '@app/db/testing/shared-connection';
import { expect, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import { isSignedIn, makeTestApp, signedInBrowser } from '../../testing/test-app.ts';
import { hashToken } from '../../tokens.ts';

const email = 'ann@example.com';
const password = 'correct horse';

const attributes = (line: string | undefined): Set<string> => new Set(line?.split('; ').slice(1));

test('on http localhost the cookie is `session`, HTTP-only and same-site', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const response = await testApp.browser().post('/api/auth/sign-in', { email, password });

  const [session, hint, device, ...more] = response.headers.getSetCookie();
  expect(more).toEqual([]);
  expect(session).toMatch(/^session=[\w-]{43};/);
  expect(attributes(session)).toEqual(
    new Set(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']),
  );
  expect(hint).toMatch(/^signed_in=1;/);
  expect(attributes(hint)).toEqual(new Set(['Max-Age=2592000', 'Path=/', 'SameSite=Lax']));
  expect(device).toMatch(/^device=[\w-]{43}\.\d+\.[\w-]{43};/);
  expect(attributes(device)).toEqual(
    new Set(['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax']),
  );
});

test('on https the cookie is `__Host-session`, and all cookies are secure', async () => {
  await using testApp = await makeTestApp({
    settings: { publicUrl: 'https://fieldlight.example' },
  });
  await signedInBrowser(testApp, email);
  const response = await testApp.browser().post('/api/auth/sign-in', { email, password });

  const [session, hint, device] = response.headers.getSetCookie();
  expect(session).toMatch(/^__Host-session=[\w-]{43};/);
  // RFC 6265bis §4.1.3.2: Secure, Path=/ and no Domain.
  expect(attributes(session)).toEqual(
    new Set(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']),
  );
  expect(attributes(hint)).toEqual(
    new Set(['Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']),
  );
  expect(device).toMatch(/^__Host-device=/);
  expect(attributes(device)).toEqual(
    new Set(['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax', 'Secure']),
  );
});

test('the cookie that scripts can read does not sign in', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  browser.cookies.set('signed_in', '1');
  expect(await isSignedIn(browser)).toBe(false);
  expect((await browser.post('/api/posts', { title: 'A', content: 'B' })).status).toBe(401);
});

test('stores only the SHA-256 of the session token', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const sessionId = browser.cookies.get('session') ?? '';

  expect(await testApp.deps.db.select().from(sessions)).toMatchObject([
    { tokenHash: hashToken(sessionId) },
  ]);
  expect(JSON.stringify(allRows(testApp.deps.db))).not.toContain(sessionId);

  const thief = testApp.browser();
  thief.cookies.set('session', hashToken(sessionId));
  expect(await isSignedIn(thief)).toBe(false);
});

test('extends a session after half of its 30 days', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const { clock, deps } = testApp;
  const began = clock.now();
  const expiry = async () => (await deps.db.select().from(sessions))[0]?.expiresAt;
  const cookiesOf = async () =>
    (await browser.get('/api/auth/session')).headers
      .getSetCookie()
      .map((line) => line.split('=')[0]);

  // Lucia uses the system time, which continues while the app's clock stands still.
  clock.move(15 * day - minute);
  expect(await cookiesOf()).toEqual([]);
  expect(Math.abs(((await expiry()) ?? 0) - began - 30 * day)).toBeLessThan(minute);

  clock.move(2 * minute);
  expect(await cookiesOf()).toEqual(['session', 'signed_in']);
  expect(Math.abs(((await expiry()) ?? 0) - clock.now() - 30 * day)).toBeLessThan(minute);
  expect(await cookiesOf()).toEqual([]);
});

test('a session in daily use ends after 90 days', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  for (let visits = 1; visits < 90; visits += 1) {
    testApp.clock.move(day);
    expect(await isSignedIn(browser)).toBe(true);
  }
  testApp.clock.move(day);
  expect(await isSignedIn(browser)).toBe(false);
});

test('a session expires after 30 days without use, and is deleted', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const other = await signedInBrowser(testApp, 'bob@example.com');
  testApp.clock.move(30 * day + 1_000);

  expect(await isSignedIn(browser)).toBe(false);
  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
  await testApp.deps.sessions.deleteExpired();
  expect(await testApp.deps.db.select().from(sessions)).toEqual([]);
  expect(await isSignedIn(other)).toBe(false);
});

test('deleting expired sessions keeps the others', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  testApp.clock.move(29 * day);
  await testApp.deps.sessions.deleteExpired();
  expect(await isSignedIn(browser)).toBe(true);
});

test('signing out ends the session on the server', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const copy = testApp.browser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);

  const response = await browser.post('/api/auth/sign-out', {});

  expect(response.status).toBe(204);
  expect([...browser.cookies.keys()]).toEqual(['device']);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await isSignedIn(copy)).toBe(false);
  expect(await testApp.deps.db.select().from(sessions)).toEqual([]);
});

test('signing out keeps other sessions', async () => {
  await using testApp = await makeTestApp();
  const phone = await signedInBrowser(testApp, email);
  const laptop = testApp.browser();
  await laptop.post('/api/auth/sign-in', { email, password });

  await laptop.post('/api/auth/sign-out', {});

  expect(await isSignedIn(laptop)).toBe(false);
  expect(await isSignedIn(phone)).toBe(true);
});

test('signing out without a session succeeds', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  expect((await browser.request('POST', '/api/auth/sign-out')).status).toBe(204);
  const form = await browser.submit('/api/auth/sign-out', {});
  expect([form.status, form.headers.get('Location')]).toEqual([303, '/']);
});

test('signing in always creates a new session token', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const before = browser.cookies.get('session') ?? '';

  await browser.post('/api/auth/sign-in', { email, password });

  expect(browser.cookies.get('session')).not.toBe(before);
  const attacker = testApp.browser();
  attacker.cookies.set('session', before);
  expect(await isSignedIn(attacker)).toBe(false);
});

test('does not adopt a session token set by an attacker', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const browser = testApp.browser();
  browser.cookies.set('session', 'planted');

  await browser.post('/api/auth/sign-in', { email, password });

  expect(browser.cookies.get('session')).toMatch(/^[\w-]{43}$/);
  const attacker = testApp.browser();
  attacker.cookies.set('session', 'planted');
  expect(await isSignedIn(attacker)).toBe(false);
});

test('deleting an account ends its sessions', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  testApp.deps.db.$client.exec('DELETE FROM users');
  expect(await isSignedIn(browser)).toBe(false);
});

test.each([
  'session=',
  'session',
  'session=%E0%A4%A',
  'session=%00%0D%0A',
  '=;;=; session=x; session=y',
  `session=${'x'.repeat(7_000)}`,
  'session="quoted"; __proto__=1',
  '\u00ff\u00fe=\u00fd',
])('treats the malformed cookie header %j as a visitor’s', async (cookie) => {
  await using testApp = await makeTestApp();
  const response = await testApp
    .browser()
    .request('GET', '/api/auth/session', { headers: { Cookie: cookie } });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ user: null });
});

test('a session continues on a read-only disk, and is extended later', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const browser = await signedInBrowser(testApp, email);
  const expiry = () => db.select().from(sessions).get()?.expiresAt ?? 0;
  const before = expiry();
  testApp.clock.move(16 * day);

  await setWritable(db, false);
  expect(await isSignedIn(browser)).toBe(true);
  expect(expiry()).toBe(before);

  await setWritable(db, true);
  expect(await isSignedIn(browser)).toBe(true);
  expect(expiry()).toBe(before + 16 * day);
});

test('a sign-in ends all but the newest 100 sessions of the user', async () => {
  await using testApp = await makeTestApp();
  const { clock, deps } = testApp;
  const oldest = await signedInBrowser(testApp, email);
  const other = await signedInBrowser(testApp, 'bob@example.com');
  const second = testApp.browser();
  await second.post('/api/auth/sign-in', { email, password });
  const { userId = '' } = (await deps.sessions.find(oldest.cookies.get('session') ?? '')) ?? {};
  // With the clock set back, the oldest sessions seem to be the latest.
  clock.set(-day);
  for (let i = 2; i < 100; i += 1) await deps.sessions.start({ userId }, { device: '' });
  expect([await isSignedIn(oldest), await isSignedIn(second)]).toEqual([true, true]);

  const newest = testApp.browser();
  expect((await newest.post('/api/auth/sign-in', { email, password })).status).toBe(200);
  expect(await isSignedIn(oldest)).toBe(false);
  expect(await Promise.all([second, newest, other].map(isSignedIn))).toEqual([true, true, true]);
  expect((await deps.db.select().from(sessions)).length).toBe(101);
});

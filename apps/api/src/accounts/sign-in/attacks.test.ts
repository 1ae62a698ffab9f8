// Attacks on other users' accounts that combine several requests.
import { messages } from '@app/contract/messages';
import { emailTokens, sessions } from '@app/db/schema/accounts';
import { expect, test, vi } from 'vitest';
import { emailEndpoints } from '../../testing/email-endpoints.ts';
import {
  makeTestApp,
  publicUrl,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  tokenEmailedTo,
  userOf,
} from '../../testing/test-app.ts';

const email = 'ann@example.com';
const password = 'correct horse';
const json = { 'Content-Type': 'application/json' };

test('does not adopt an attacker’s session by confirming, resetting or signing in', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  const confirmToken = tokenEmailedTo(testApp, email);
  const stranger = await signedInBrowser(testApp, 'mallory@example.com');
  const planted = stranger.cookies.get('session') ?? '';
  const victim = testApp.browser();
  const plant = () => victim.cookies.set('session', planted);

  plant();
  await victim.post('/api/auth/confirm', { token: confirmToken });
  expect(await userOf(victim)).toMatchObject({ email });
  expect(victim.cookies.get('session')).not.toBe(planted);
  expect(await userOf(stranger)).toBeNull();

  await testApp.browser().post('/api/auth/forgot-password', { email });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  for (const [endpoint, fields] of [
    ['reset-password', { token, password: 'staple battery' }],
    ['sign-in', { email, password: 'staple battery' }],
  ] as const) {
    plant();
    expect((await victim.post(`/api/auth/${endpoint}`, fields)).status).toBe(200);
    expect(victim.cookies.get('session')).not.toBe(planted);
    expect(await userOf(stranger)).toBeNull();
  }
});

test('a sign-out or a new password ends a copied session', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const copyOf = (original: TestBrowser): TestBrowser => {
    const copy = testApp.browser();
    for (const [name, value] of original.cookies) copy.cookies.set(name, value);
    return copy;
  };
  const first = copyOf(browser);
  await browser.post('/api/auth/sign-out', {});
  expect(await userOf(first)).toBeNull();

  await browser.post('/api/auth/sign-in', { email, password });
  const second = copyOf(browser);
  await testApp.browser().post('/api/auth/forgot-password', { email });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  await testApp.browser().post('/api/auth/reset-password', { token, password: 'staple battery' });
  expect(await userOf(second)).toBeNull();
  expect(
    (await second.post('/api/auth/sign-in-again', { password: 'staple battery' })).status,
  ).toBe(401);
});

test('rejects an old password that is replaced while it is compared', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  await testApp.browser().post('/api/auth/forgot-password', { email });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  const { passwords } = testApp.deps;
  const { verify } = passwords;
  passwords.verify = async (...compared) => {
    const matches = await verify(...compared);
    await testApp.browser().post('/api/auth/reset-password', { token, password: 'staple battery' });
    return matches;
  };

  const thief = testApp.browser();
  expect((await thief.post('/api/auth/sign-in', { email, password })).status).toBe(401);
  expect(await userOf(thief)).toBeNull();
  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
});

test.each([
  { Host: 'evil.example' },
  { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' },
  { Forwarded: 'host=evil.example;proto=http', 'X-Original-Host': 'evil.example' },
  { 'X-Forwarded-Prefix': '/evil.example', 'X-Rewrite-URL': '//evil.example' },
])('ignores %j in emailed links', async (headers) => {
  await using testApp = await makeTestApp();
  const send = (endpoint: string, body: object) =>
    testApp.browser().request('POST', `/api/auth/${endpoint}`, {
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    });
  await send('sign-up', { email, password });
  await send('resend-confirmation', { email });
  await send('forgot-password', { email });
  await testApp.deps.outbox.drain();

  expect(testApp.emails.sent.map(({ kind }) => kind)).toEqual([
    'confirmation',
    'confirmation',
    'password-reset',
  ]);
  for (const { text, html } of testApp.emails.sent) {
    expect(text + html).not.toContain('evil');
    const links = text.match(/https?:\S*token=/g) ?? [];
    expect(links).toHaveLength(1);
    expect(links[0]?.startsWith(`${publicUrl}/auth/`)).toBe(true);
  }
});

test('a forged X-Forwarded-For does not bypass limits', async () => {
  await using testApp = await makeTestApp();
  testApp.deps.passwords.verify = async () => null;
  const browser = testApp.browser();
  const guess = async (n: number) => {
    const response = await browser.request('POST', '/api/auth/sign-in', {
      headers: { ...json, 'X-Forwarded-For': `203.0.113.${n}`, 'X-Real-IP': `203.0.113.${n}` },
      body: JSON.stringify({ email: `person-${n}@example.com`, password: 'wrong horse' }),
    });
    return response.status;
  };
  for (let n = 1; n <= 100; n += 1) expect(await guess(n)).toBe(401);
  expect(await guess(101)).toBe(429);
});

/** Guesses through a trusted proxy, each time for another account. */
async function guessFrom(testApp: TestApp, forwardedFor: string, n: number): Promise<number> {
  const response = await testApp.browser().request('POST', '/api/auth/sign-in', {
    headers: { ...json, 'X-Forwarded-For': forwardedFor },
    body: JSON.stringify({ email: `person-${n}@example.com`, password: 'wrong horse' }),
  });
  return response.status;
}

test('a forged X-Forwarded-For does not bypass limits behind a trusted proxy', async () => {
  await using testApp = await makeTestApp({ settings: { trustProxy: ['198.18.0.0/15'] } });
  testApp.deps.passwords.verify = async () => null;
  for (let n = 1; n <= 100; n += 1) {
    expect(await guessFrom(testApp, `192.0.2.${n}, 203.0.113.7`, n)).toBe(401);
  }
  expect(await guessFrom(testApp, '192.0.2.200, 203.0.113.7', 101)).toBe(429);
  expect(await guessFrom(testApp, '192.0.2.200, 203.0.113.8', 101)).toBe(401);
});

test('counts a /64 IPv6 network as one client', async () => {
  await using testApp = await makeTestApp({ settings: { trustProxy: ['198.18.0.0/15'] } });
  testApp.deps.passwords.verify = async () => null;
  for (let n = 1; n <= 100; n += 1) {
    expect(await guessFrom(testApp, `2001:db8:0:7:${n.toString(16)}::1`, n)).toBe(401);
  }
  expect(await guessFrom(testApp, '2001:db8:0:7:ffff:ffff:ffff:ffff', 101)).toBe(429);
  expect(await guessFrom(testApp, '2001:db8:0:8::1', 101)).toBe(401);
});

test.each([
  'ann@example.com\r\nBcc: everybody@example.com',
  'ann@example.com\nSubject: You won',
  'ann@example.com,mallory@example.com',
  'ann@example.com;mallory@example.com',
  'Ann <ann@example.com>',
  '<ann@example.com>',
  'ann@example.com\u0000.evil.example',
  'ann@example.com%0d%0aBcc:everybody@example.com',
  `ann@${'x'.repeat(250)}.example`,
])('rejects the email %j without injecting headers', async (address) => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const sentEmails = testApp.emails.sent.length;
  for (const [endpoint, fields] of emailEndpoints) {
    const response = await testApp
      .browser()
      .post(`/api/auth/${endpoint}`, { email: address, ...fields });
    expect([endpoint, response.status]).toEqual([endpoint, 422]);
  }
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toHaveLength(sentEmails);
});

test.each([
  ['sign-up', { email }, 422],
  ['sign-in', { email }, 422],
  ['sign-in-again', {}, 422],
  ['reset-password', { token: 'x' }, 422],
])('%s does not hash a long password', async (endpoint, fields, status) => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  const { passwords } = testApp.deps;
  const hash = vi.spyOn(passwords, 'hash');
  const verify = vi.spyOn(passwords, 'verify');
  const long = 'x'.repeat(60_000);

  const response = await browser.post(`/api/auth/${endpoint}`, { ...fields, password: long });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({
    issues: [{ path: 'password', message: messages.field.tooLong(256) }],
  });
  const longer = await browser.post(`/api/auth/${endpoint}`, { ...fields, password: long + long });
  expect(longer.status).toBe(413);
  expect(hash).not.toHaveBeenCalled();
  expect(verify).not.toHaveBeenCalled();
});

test('an account created with someone else’s email is useless to its creator', async () => {
  await using testApp = await makeTestApp();
  const mallory = testApp.browser();
  await mallory.post('/api/auth/sign-up', { email, password: 'a trap for ann' });
  expect(
    (await mallory.post('/api/auth/sign-in', { email, password: 'a trap for ann' })).status,
  ).toBe(403);
  const ann = testApp.browser();
  await ann.post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  const reply = await ann.post('/api/auth/confirm', { token: tokenEmailedTo(testApp, email) });
  const { resetToken: token } = (await reply.json()) as { resetToken: string };
  await ann.post('/api/auth/reset-password', { token, password });

  expect(await userOf(ann)).toMatchObject({ email });
  expect(
    (await mallory.post('/api/auth/sign-in', { email, password: 'a trap for ann' })).status,
  ).toBe(403);
  const links = await testApp.deps.db.select().from(emailTokens);
  expect(links).toHaveLength(3);
  const now = testApp.clock.now();
  expect(links.every(({ usedAt, expiresAt }) => usedAt !== null || expiresAt <= now)).toBe(true);
});

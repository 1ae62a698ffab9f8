import { accountMessages } from '@app/contract/accounts/messages';
import { hour } from '@app/contract/durations';
import { messages } from '@app/contract/messages';
import { emailTokens, sessions, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import { allRows, type Tables } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  tokenEmailedTo,
  userOf,
} from '../../testing/test-app.ts';
import { hashToken } from '../../tokens.ts';

const email = 'ann@example.com';
const oldPassword = 'correct horse';
const newPassword = 'staple battery';

const forgot = (testApp: TestApp, address = email) =>
  testApp.browser().post('/api/auth/forgot-password', { email: address });

/** Requests a link after the pause between emails. */
async function emailedToken(testApp: TestApp): Promise<string> {
  testApp.clock.move(60_000);
  await forgot(testApp);
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  expect(testApp.emails.sent.at(-1)?.kind).toBe('password-reset');
  return token;
}

const reset = (browser: TestBrowser, token: string, password = newPassword) =>
  browser.post('/api/auth/reset-password', { token, password });

/** All rows except rate limits. */
function rowsOf({ deps }: TestApp): Tables {
  const { rate_limits: _, ...rows } = allRows(deps.db);
  return rows;
}

const signInStatus = async (testApp: TestApp, password: string) =>
  (await testApp.browser().post('/api/auth/sign-in', { email, password })).status;

test('the link sets a password, signs in and ends other sessions', async () => {
  await using testApp = await makeTestApp();
  const laptop = await signedInBrowser(testApp, email);
  const phone = testApp.browser();

  const response = await reset(phone, await emailedToken(testApp));

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ user: { email } });
  expect(await userOf(phone)).toMatchObject({ email });
  expect(await userOf(laptop)).toBeNull();
  expect(await signInStatus(testApp, oldPassword)).toBe(401);
  expect(await signInStatus(testApp, newPassword)).toBe(200);
});

test('emails a link that works for an hour', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);

  const sentEmail = testApp.emails.sent.at(-1);
  expect(sentEmail?.text).toContain(`http://localhost:4321/auth/reset?token=${token}`);
  expect(sentEmail?.text).toContain('for one hour');
});

test('opening the link, as email scanners do, changes nothing', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);
  const before = rowsOf(testApp);

  const page = await testApp.browser().get(`/auth/reset?token=${token}`);

  expect(page.status).toBe(200);
  expect(page.headers.getSetCookie()).toEqual([]);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
  expect(await page.text()).toContain(JSON.stringify({ kind: 'passwordReset', token }));
  expect(rowsOf(testApp)).toEqual(before);
});

test('a link works once', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);
  const mine = testApp.browser();
  await reset(mine, token);

  const again = await reset(testApp.browser(), token, 'a third password');

  expect(again.status).toBe(410);
  expect(again.headers.getSetCookie()).toEqual([]);
  expect(await again.json()).toMatchObject({
    code: 'dead_link',
    detail: accountMessages.password.deadLink.description,
  });
  expect(await userOf(mine)).toMatchObject({ email });
  expect(await signInStatus(testApp, 'a third password')).toBe(401);
});

test('of 50 concurrent uses of a link, one succeeds and stays signed in', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);
  const browsers = Array.from({ length: 50 }, () => testApp.browser());

  const statuses = await Promise.all(
    browsers.map(async (browser, n) => (await reset(browser, token, `password no. ${n}`)).status),
  );

  expect(statuses.toSorted()).toEqual([200, ...Array<number>(49).fill(410)]);
  const winner = statuses.indexOf(200);
  expect(await userOf(browsers[winner] as TestBrowser)).toMatchObject({ email });
  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
  expect(await signInStatus(testApp, `password no. ${winner}`)).toBe(200);
});

test('a link works for an hour', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);
  testApp.clock.move(hour - 1);
  expect((await testApp.browser().get(`/auth/reset?token=${token}`)).status).toBe(200);
  testApp.clock.move(1);
  const before = rowsOf(testApp);

  const page = await testApp.browser().get(`/auth/reset?token=${token}`);
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/auth/forgot#dead-link']);
  expect((await reset(testApp.browser(), token)).status).toBe(410);
  expect(rowsOf(testApp)).toEqual(before);
});

test.each(['forged', 'x'.repeat(43), '../../etc/passwd', "' OR 1=1 --"])(
  'rejects the unknown token %j without hashing',
  async (token) => {
    await using testApp = await makeTestApp();
    await signedInBrowser(testApp, email);
    const before = rowsOf(testApp);
    testApp.deps.passwords.hash = () => Promise.reject(new Error('unexpected hash'));

    const page = await testApp.browser().get(`/auth/reset?token=${encodeURIComponent(token)}`);
    expect(page.headers.get('Location')).toBe('/auth/forgot#dead-link');
    expect((await reset(testApp.browser(), token)).status).toBe(410);
    expect(rowsOf(testApp)).toEqual(before);
  },
);

test('confirmation and reset links are not interchangeable', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password: oldPassword });
  await testApp.deps.outbox.drain();
  const confirmToken = tokenEmailedTo(testApp, email);
  const resetToken = await emailedToken(testApp);

  expect((await reset(testApp.browser(), confirmToken)).status).toBe(410);
  const confirmed = await testApp.browser().post('/api/auth/confirm', { token: resetToken });
  expect(confirmed.status).toBe(410);
  const page = await testApp.browser().get(`/auth/confirm?token=${resetToken}`);
  expect(page.headers.get('Location')).toBe('/auth#dead-link');
});

test('a new link ends the previous one', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const first = await emailedToken(testApp);
  const second = await emailedToken(testApp);

  expect((await reset(testApp.browser(), first)).status).toBe(410);
  expect((await reset(testApp.browser(), second)).status).toBe(200);
});

test('a reset ends all links of the account, but no others', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password: 'a trap for ann' });
  const bob = { email: 'bob@example.com', password: 'bobs password' };
  await testApp.browser().post('/api/auth/sign-up', bob);
  await testApp.deps.outbox.drain();
  const trap = tokenEmailedTo(testApp, email);
  const bobs = tokenEmailedTo(testApp, bob.email);

  expect((await reset(testApp.browser(), await emailedToken(testApp))).status).toBe(200);

  expect((await testApp.browser().post('/api/auth/confirm', { token: trap })).status).toBe(410);
  expect(await signInStatus(testApp, 'a trap for ann')).toBe(403);
  expect((await testApp.browser().post('/api/auth/confirm', { token: bobs })).status).toBe(200);
});

test('confirms an unconfirmed account', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password: oldPassword });
  const token = await emailedToken(testApp);
  expect(await signInStatus(testApp, oldPassword)).toBe(403);

  expect((await reset(testApp.browser(), token)).status).toBe(200);
  expect(await signInStatus(testApp, newPassword)).toBe(200);
});

test('sets a first password for an account without one', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  await testApp.deps.db.update(users).set({ passwordHash: null }).where(eq(users.email, email));

  expect((await reset(testApp.browser(), await emailedToken(testApp))).status).toBe(200);
  expect(await signInStatus(testApp, newPassword)).toBe(200);
});

test('replies the same but sends no email for an unknown address', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const sentEmails = testApp.emails.sent.length;

  const response = await forgot(testApp, 'nobody@example.com');
  await testApp.deps.outbox.drain();

  expect([response.status, await response.text()]).toEqual([202, '{"accepted":true}']);
  expect(testApp.emails.sent).toHaveLength(sentEmails);
  expect(await testApp.deps.db.select().from(users)).toHaveLength(1);
});

test('stores only the SHA-256 of the token', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);
  const { outbox: _, ...tables } = allRows(testApp.deps.db);

  expect(JSON.stringify(tables)).not.toContain(token);
  const [, stored] = await testApp.deps.db.select().from(emailTokens);
  expect(stored).toMatchObject({ tokenHash: hashToken(token), purpose: 'reset-password' });
});

test('sets the password, ends sessions and uses up the link in one commit', async () => {
  await using testApp = await makeTestApp();
  const laptop = await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);
  const { db } = testApp.deps;
  db.$client.exec(
    "CREATE TRIGGER full BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
  );

  expect((await reset(testApp.browser(), token)).status).toBe(500);

  db.$client.exec('DROP TRIGGER full');
  expect(await userOf(laptop)).toMatchObject({ email });
  expect(await signInStatus(testApp, oldPassword)).toBe(200);
  expect((await reset(testApp.browser(), token)).status).toBe(200);
});

test.each([
  ['', messages.field.passwordRequired],
  ['12345', messages.field.passwordTooShort],
  ['Password1', accountMessages.password.common],
  ['x'.repeat(257), messages.field.tooLong(256)],
])('rejects the password %j and keeps the link', async (password, message) => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const token = await emailedToken(testApp);

  const response = await reset(testApp.browser(), token, password);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ issues: [{ path: 'password', message }] });
  expect((await reset(testApp.browser(), token)).status).toBe(200);
});

test('redirects a form without JavaScript', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const submit = async (path: string, fields: Record<string, string>) => {
    const response = await testApp.browser().submit(`/api/auth/${path}`, fields);
    return [response.status, response.headers.get('Location')];
  };
  expect(await submit('forgot-password', { email })).toEqual([303, '/auth/forgot#sent']);
  const again = `/auth/forgot/again?${new URLSearchParams({ entered: email })}`;
  expect(await submit('forgot-password', { email })).toEqual([303, `${again}#too-many`]);
  expect(await submit('forgot-password', { email: 'ann' })).toEqual([
    303,
    '/auth/forgot/again?entered=ann#invalid',
  ]);
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);

  const page = `/auth/reset?token=${token}`;
  const choose = (password: string) => submit('reset-password', { token, password });
  expect(await choose('12345')).toEqual([303, `${page}#invalid`]);
  expect(await choose('password')).toEqual([303, `${page}#common`]);
  expect(await choose(newPassword)).toEqual([303, '/blog']);
  expect(await choose(newPassword)).toEqual([303, '/auth/forgot#dead-link']);
});

test.each([
  '',
  '//evil.example',
  '\r\nSet-Cookie: a=b',
  '#x',
  'x'.repeat(10_000),
  `x${'🔑'.repeat(150)}`,
])('redirects a form with the token %j within the site', async (token) => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().submit('/api/auth/reset-password', {
    token,
    password: '12345',
  });
  expect(response.headers.get('Location')).toMatch(/^\/auth\/reset\?token=[\w%.+-]*#invalid$/);
  expect(response.headers.get('Location')?.length).toBeLessThan(1_500);
  expect(response.headers.getSetCookie()).toEqual([]);
});

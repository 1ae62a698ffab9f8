import { day, hour } from '@app/contract/durations';
import { emailTokens, sessions, users } from '@app/db/schema/accounts';
import { isNull, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { allRows, type Tables } from '../../testing/tables.ts';
import { isSignedIn, makeTestApp, type TestApp, tokenEmailedTo } from '../../testing/test-app.ts';
import { hashToken, newToken } from '../../tokens.ts';
import { deleteUnconfirmedAccounts } from './cleanup.ts';

const email = 'ann@example.com';
const noProfile = { username: null, fullName: null, avatarUrl: null };

async function signUp(
  testApp: TestApp,
  password = 'correct horse',
  browser = testApp.browser(),
): Promise<string> {
  await browser.post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  return tokenEmailedTo(testApp, email);
}

const signUpAgain = (testApp: TestApp, password: string) =>
  testApp.browser().post('/api/auth/sign-up', { email, password });

const confirm = (testApp: TestApp, token: string) =>
  testApp.browser().post('/api/auth/confirm', { token });

/** All rows except rate limits. */
function rowsOf({ deps }: TestApp): Tables {
  const { rate_limits: _, ...rows } = allRows(deps.db);
  return rows;
}

const signInStatus = async (testApp: TestApp, password: string) =>
  (await testApp.browser().post('/api/auth/sign-in', { email, password })).status;

test('confirming the address signs in', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  const browser = testApp.browser();

  const response = await browser.post('/api/auth/confirm', { token });

  expect(response.status).toBe(200);
  const reply = await response.json();
  expect(reply).toEqual({
    user: { id: expect.any(String), email, mayWrite: true, isStaff: false, ...noProfile },
  });
  expect(await (await browser.get('/api/auth/session')).json()).toEqual(reply);
});

test('a link works once', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  expect((await confirm(testApp, token)).status).toBe(200);

  const again = await confirm(testApp, token);
  expect(again.status).toBe(410);
  expect(again.headers.getSetCookie()).toEqual([]);
  expect(await again.json()).toMatchObject({ code: 'dead_link' });
});

test('of 50 concurrent uses of a link, one succeeds', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);

  const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(testApp, token)));

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array<number>(49).fill(410)]);
  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
});

test('opening the link, as email scanners do, confirms nothing', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  const before = rowsOf(testApp);

  const page = await testApp.browser().get(`/auth/confirm?token=${token}`);

  expect(page.status).toBe(200);
  expect(page.headers.getSetCookie()).toEqual([]);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
  expect(await page.text()).toContain(token);
  expect(rowsOf(testApp)).toEqual(before);
  expect(await signInStatus(testApp, 'correct horse')).toBe(403);
});

test('a link works for 24 hours', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  testApp.clock.move(day - 1);
  expect((await confirm(testApp, token)).status).toBe(200);
});

test('an expired link redirects to a notice that offers a new one', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  testApp.clock.move(day);

  expect((await confirm(testApp, token)).status).toBe(410);
  expect(await signInStatus(testApp, 'correct horse')).toBe(403);
  const page = await testApp.browser().get(`/auth/confirm?token=${token}`);
  expect(page.status).toBe(303);
  expect(page.headers.get('Location')).toBe('/auth?email=ann%40example.com#dead-link');
});

test.each(['', 'forged', 'x'.repeat(43), '../../etc/passwd', "' OR 1=1 --"])(
  'rejects the unknown token %j',
  async (token) => {
    await using testApp = await makeTestApp();
    await signUp(testApp);
    const before = rowsOf(testApp);

    const response = await confirm(testApp, token);
    const page = await testApp.browser().get(`/auth/confirm?token=${encodeURIComponent(token)}`);

    expect(response.status).toBe(token === '' ? 422 : 410);
    expect(page.headers.get('Location')).toBe('/auth#dead-link');
    expect(rowsOf(testApp)).toEqual(before);
  },
);

test('rejects a token of another purpose', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  await testApp.deps.db.update(emailTokens).set({ purpose: sql`'reset'` });
  const before = rowsOf(testApp);

  expect((await confirm(testApp, token)).status).toBe(410);
  expect((await testApp.browser().get(`/auth/confirm?token=${token}`)).status).toBe(303);
  expect(rowsOf(testApp)).toEqual(before);
});

test('after several sign-ups with the same password, any link confirms it', async () => {
  await using testApp = await makeTestApp();
  await signUp(testApp);
  testApp.clock.move(2 * hour);
  const token = await signUp(testApp);
  expect(await (await confirm(testApp, token)).json()).toHaveProperty('user');
  expect(await signInStatus(testApp, 'correct horse')).toBe(200);
});

test.each(['first', 'second', 'sent again'] as const)(
  'after sign-ups with different passwords, no link confirms one (%s)',
  async (which) => {
    await using testApp = await makeTestApp();
    const browser = testApp.browser();
    const first = await signUp(testApp, 'what a stranger chose');
    const second = await signUp(testApp, 'my own password', browser);
    await browser.post('/api/auth/resend-confirmation', { email });
    await testApp.deps.outbox.drain();
    const links = { first, second, 'sent again': tokenEmailedTo(testApp, email) };
    expect(new Set(Object.values(links)).size).toBe(3);

    const response = await browser.submit('/api/auth/confirm', { token: links[which] });

    expect(response.status).toBe(303);
    const location = response.headers.get('Location') ?? '';
    expect(location).toMatch(/^\/auth\/reset\?token=[\w-]{43}#several-sign-ups$/);
    expect(await isSignedIn(browser)).toBe(false);
    for (const password of ['my own password', 'what a stranger chose']) {
      expect(await signInStatus(testApp, password)).toBe(403);
    }
    for (const token of Object.values(links)) {
      expect((await confirm(testApp, token)).status).toBe(410);
    }

    const resetToken = /token=([\w-]+)/.exec(location)?.[1] ?? '';
    const password = 'chosen by the owner';
    await browser.submit('/api/auth/reset-password', { token: resetToken, password });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await signInStatus(testApp, password)).toBe(200);
  },
);

test('a sign-up counts after its link has expired', async () => {
  await using testApp = await makeTestApp();
  await signUp(testApp, 'my own password');
  testApp.clock.move(29 * day);
  // Waits as long as a new one.
  await signUp(testApp, 'my own password');
  testApp.clock.move(2 * day);
  await deleteUnconfirmedAccounts(testApp.deps);
  const theirs = await signUp(testApp, 'what a stranger chose');
  expect(await (await confirm(testApp, theirs)).json()).toHaveProperty('resetToken');
});

test('no sign-up changes a confirmed account, even with a link', async () => {
  await using testApp = await makeTestApp();
  await confirm(testApp, await signUp(testApp));
  await signUpAgain(testApp, 'what a stranger chose');
  const token = newToken();
  await testApp.deps.db
    .update(emailTokens)
    .set({ tokenHash: hashToken(token), expiresAt: testApp.clock.now() + day })
    .where(isNull(emailTokens.usedAt));
  const before = await testApp.deps.db.select().from(users);

  expect((await confirm(testApp, token)).status).toBe(410);

  expect(await testApp.deps.db.select().from(users)).toEqual(before);
  expect(await signInStatus(testApp, 'correct horse')).toBe(200);
  expect(await signInStatus(testApp, 'what a stranger chose')).toBe(403);
});

test('after several sign-ups, the reply has a token to choose a password', async () => {
  await using testApp = await makeTestApp();
  await signUp(testApp, 'what a stranger chose');
  const token = await signUp(testApp, 'my own password');

  const { resetToken } = (await (await confirm(testApp, token)).json()) as { resetToken: string };

  const chosen = { token: resetToken, password: 'chosen by the owner' };
  expect((await testApp.browser().post('/api/auth/reset-password', chosen)).status).toBe(200);
});

describe('a sign-up after strangers have used up the email budget', () => {
  async function spendBudget(testApp: TestApp): Promise<void> {
    const fields = { email, password: 'what a stranger chose' };
    for (let n = 0; n < 6; n += 1) await testApp.browser().post('/api/auth/sign-up', fields);
  }
  const signUpWithoutEmail = async (testApp: TestApp): Promise<void> => {
    const { sent } = testApp.emails;
    await testApp.deps.outbox.drain();
    const before = sent.length;
    const fields = { email, password: 'my own password' };
    expect((await testApp.browser().post('/api/auth/sign-up', fields)).status).toBe(202);
    await testApp.deps.outbox.drain();
    expect(sent.slice(before)).toEqual([]);
  };

  test('makes a stranger’s earlier link ask for a new password', async () => {
    await using testApp = await makeTestApp();
    const theirs = await signUp(testApp, 'what a stranger chose');
    await spendBudget(testApp);
    await signUpWithoutEmail(testApp);

    const response = await confirm(testApp, theirs);

    expect(await response.json()).toEqual({ resetToken: expect.any(String) });
    expect(await signInStatus(testApp, 'what a stranger chose')).toBe(403);
  });

  test('makes a stranger’s later link ask for a new password', async () => {
    await using testApp = await makeTestApp();
    await spendBudget(testApp);
    testApp.clock.move(2 * hour);
    await signUpWithoutEmail(testApp);
    testApp.clock.move(day - hour);
    const theirs = await signUp(testApp, 'what a stranger chose');

    const response = await confirm(testApp, theirs);

    expect(await response.json()).toEqual({ resetToken: expect.any(String) });
    expect(await signInStatus(testApp, 'what a stranger chose')).toBe(403);
  });
});

test('a sign-up with another address does not affect a link', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  const token = await signUp(testApp, 'my own password', browser);
  const other = { email: 'bob@example.com', password: 'another password' };
  await browser.post('/api/auth/sign-up', other);
  await browser.post('/api/auth/confirm', { token });
  expect(await isSignedIn(browser)).toBe(true);
});

test('following a link ends the account’s other links', async () => {
  await using testApp = await makeTestApp();
  const first = await signUp(testApp, 'first password');
  const second = await signUp(testApp, 'second password');
  await confirm(testApp, first);

  expect((await confirm(testApp, second)).status).toBe(410);
  expect(await signInStatus(testApp, 'second password')).toBe(403);
});

test('a link does not affect other accounts', async () => {
  await using testApp = await makeTestApp();
  await testApp
    .browser()
    .post('/api/auth/sign-up', { email: 'bob@example.com', password: 'bobs password' });
  await confirm(testApp, await signUp(testApp));

  const bobs = tokenEmailedTo(testApp, 'bob@example.com');
  expect((await confirm(testApp, bobs)).status).toBe(200);
  expect(await testApp.deps.db.select().from(users)).toHaveLength(2);
});

test('redirects a form without JavaScript to the blog, or to a notice that offers a new link', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  const submit = async () => {
    const response = await testApp.browser().submit('/api/auth/confirm', { token });
    return [response.status, response.headers.get('Location')];
  };
  expect(await submit()).toEqual([303, '/blog']);
  expect(await submit()).toEqual([303, '/auth?email=ann%40example.com#dead-link']);
});

test('a used link does not reveal a later address of the account', async () => {
  await using testApp = await makeTestApp();
  const token = await signUp(testApp);
  const browser = testApp.browser();
  await browser.post('/api/auth/confirm', { token });
  await browser.post('/api/auth/email', { email: 'secret@example.com' });
  await testApp.deps.outbox.drain();
  const change = tokenEmailedTo(testApp, 'secret@example.com');
  expect((await browser.post('/api/auth/change-email', { token: change })).status).toBe(200);

  const page = await testApp.browser().get(`/auth/confirm?token=${token}`);

  expect([page.status, page.headers.get('Location')]).toEqual([303, '/auth#dead-link']);
});

test('resending emails a new link and keeps the previous one', async () => {
  await using testApp = await makeTestApp();
  const first = await signUp(testApp);

  const response = await testApp.browser().post('/api/auth/resend-confirmation', { email });
  await testApp.deps.outbox.drain();

  expect(response.status).toBe(202);
  const second = tokenEmailedTo(testApp, email);
  expect(second).not.toBe(first);
  expect((await confirm(testApp, first)).status).toBe(200);
});

test('a resent link confirms the password of the sign-up', async () => {
  await using testApp = await makeTestApp();
  await signUp(testApp);
  testApp.clock.move(2 * day);
  await testApp.browser().post('/api/auth/resend-confirmation', { email });
  await testApp.deps.outbox.drain();

  expect((await confirm(testApp, tokenEmailedTo(testApp, email))).status).toBe(200);
  expect(await signInStatus(testApp, 'correct horse')).toBe(200);
});

test('resending after a sign-up for an existing account tells its owner again', async () => {
  await using testApp = await makeTestApp();
  await confirm(testApp, await signUp(testApp));
  await signUpAgain(testApp, 'another password');
  testApp.clock.move(hour);
  await testApp.browser().post('/api/auth/resend-confirmation', { email });
  await testApp.deps.outbox.drain();
  const kinds = testApp.emails.sent.map(({ kind }) => kind);
  expect(kinds).toEqual(['confirmation', 'already-registered', 'already-registered']);
});

test('resending replies the same but sends no email if there is nothing to confirm', async () => {
  await using testApp = await makeTestApp();
  await confirm(testApp, await signUp(testApp));
  const sentEmails = testApp.emails.sent.length;
  const resend = async (address: string) => {
    const response = await testApp
      .browser()
      .post('/api/auth/resend-confirmation', { email: address });
    return [response.status, await response.text()];
  };

  expect(await resend(email)).toEqual([202, '{"accepted":true}']);
  expect(await resend('nobody@example.com')).toEqual([202, '{"accepted":true}']);
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toHaveLength(sentEmails);
});

test('resending requires an email', async () => {
  await using testApp = await makeTestApp();
  const path = '/api/auth/resend-confirmation';
  const empty = await testApp.browser().post(path, { email: '' });
  expect(empty.status).toBe(422);
  expect(await empty.json()).toMatchObject({
    issues: [{ path: 'email', message: 'Email is required to resend confirmation' }],
  });
  const form = await testApp.browser().submit(path, { email: '' });
  expect([form.status, form.headers.get('Location')]).toEqual([303, '/auth#resend-invalid']);
});

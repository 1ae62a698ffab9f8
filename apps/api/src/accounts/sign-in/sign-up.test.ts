import { accountMessages } from '@app/contract/accounts/messages';
import { messages } from '@app/contract/messages';
import { emailTokens, profiles, users } from '@app/db/schema/accounts';
import { outbox } from '@app/db/schema/email';
import { expect, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, tokenEmailedTo } from '../../testing/test-app.ts';
import { hashToken } from '../../tokens.ts';
import { signUp } from './sign-up.ts';

const email = 'ann@example.com';
const password = 'correct horse';

test('replies the same for new, unconfirmed and confirmed addresses', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  const answer = async () => {
    const response = await browser.post('/api/auth/sign-up', { email, password });
    const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: await response.text() };
  };

  const toNew = await answer();
  const toWaiting = await answer();
  await testApp.deps.outbox.drain();
  await browser.post('/api/auth/confirm', { token: tokenEmailedTo(testApp, email) });
  const toConfirmed = await answer();

  expect(toNew).toMatchObject({ status: 202, body: '{"accepted":true}' });
  expect(toNew.headers).not.toHaveProperty('set-cookie');
  expect(toWaiting).toEqual(toNew);
  expect(toConfirmed).toEqual(toNew);
});

test('emails a confirmation link to a new address', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();

  expect(testApp.emails.sent).toMatchObject([{ kind: 'confirmation', to: email }]);
  expect(testApp.emails.sent[0]?.text).toContain(
    `http://localhost:4321/auth/confirm?token=${tokenEmailedTo(testApp, email)}`,
  );
});

test('notifies the owner of an existing account, and does not change it', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const withoutCounts = () => {
    const { outbox, rate_limits, requested_emails, email_tokens, ...rows } = allRows(
      testApp.deps.db,
    );
    return rows;
  };
  const before = withoutCounts();

  await testApp.browser().post('/api/auth/sign-up', { email, password: 'another password' });
  await testApp.deps.outbox.drain();

  const sentEmail = testApp.emails.sent.at(-1);
  expect(sentEmail).toMatchObject({ kind: 'already-registered', to: email });
  expect(sentEmail?.text).toContain('http://localhost:4321/auth');
  expect(sentEmail?.text).not.toContain('token');
  expect(withoutCounts()).toEqual(before);
  const statusWith = async (typed: string) =>
    (await testApp.browser().post('/api/auth/sign-in', { email, password: typed })).status;
  expect(await statusWith(password)).toBe(200);
  expect(await statusWith('another password')).toBe(403);
});

test('ignores case and surrounding spaces of an email', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);

  await testApp.browser().post('/api/auth/sign-up', { email: ' Ann@Example.COM ', password });
  await testApp.deps.outbox.drain();

  expect(await testApp.deps.db.select().from(users)).toHaveLength(1);
  expect(testApp.emails.sent.at(-1)).toMatchObject({ kind: 'already-registered', to: email });
});

test('50 concurrent sign-ups create one account and send six emails', async () => {
  await using testApp = await makeTestApp();
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      testApp.browser().post('/api/auth/sign-up', { email, password }),
    ),
  );
  await testApp.deps.outbox.drain();

  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202));
  expect(testApp.emails.sent).toHaveLength(6);
  const { db } = testApp.deps;
  expect(await db.select().from(users)).toHaveLength(1);
  expect(await db.select().from(profiles)).toHaveLength(1);
  expect(await db.select().from(emailTokens)).toHaveLength(6);
  // All of them have the same password.
  const token = tokenEmailedTo(testApp, email);
  const confirmed = await testApp.browser().post('/api/auth/confirm', { token });
  expect(await confirmed.json()).toHaveProperty('user');
});

test('stores at most 100 passwords of sign-ups with one address', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  for (let n = 0; n < 110; n += 1) await signUp(deps, { email, password: `password ${n}` });
  const stored = await deps.db.select().from(emailTokens);
  expect(stored).toHaveLength(100);
  expect(stored.filter(({ expiresAt, createdAt }) => expiresAt > createdAt)).toHaveLength(6);
});

test('strangers cannot keep the owner of an address from signing up', async () => {
  await using testApp = await makeTestApp();
  for (let n = 0; n < 12; n += 1) {
    const trap = { email, password: `what a stranger chose ${n}` };
    expect((await testApp.browser().post('/api/auth/sign-up', trap)).status).toBe(202);
  }
  const browser = testApp.browser();
  expect((await browser.post('/api/auth/sign-up', { email, password })).status).toBe(202);
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toHaveLength(6);

  // Any link to the address leads to a password of the owner.
  const token = tokenEmailedTo(testApp, email);
  const reply = await browser.post('/api/auth/confirm', { token });
  const { resetToken } = (await reply.json()) as { resetToken: string };
  const chosen = { token: resetToken, password };
  expect((await browser.post('/api/auth/reset-password', chosen)).status).toBe(200);
  expect((await testApp.browser().post('/api/auth/sign-in', { email, password })).status).toBe(200);
});

test('creates the account, profile, token and email in one commit', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  db.$client.exec(
    "CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END",
  );

  const response = await testApp.browser().post('/api/auth/sign-up', { email, password });

  expect(response.status).toBe(500);
  expect(await db.select().from(emailTokens)).toEqual([]);
  expect(await db.select().from(outbox)).toEqual([]);

  db.$client.exec('DROP TRIGGER full');
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  expect((await testApp.browser().post('/api/auth/confirm', { token })).status).toBe(200);
});

test('stores only hashes of the password and the token', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();

  const token = tokenEmailedTo(testApp, email);
  const { outbox: _, ...tables } = allRows(testApp.deps.db);
  const stored = JSON.stringify(tables);
  expect(stored).not.toContain(password);
  expect(stored).not.toContain(token);
  expect(tables['email_tokens']).toMatchObject([
    { token_hash: hashToken(token), purpose: 'confirm' },
  ]);
});

test.each([
  [{ password }, 'email', messages.field.emailRequired],
  [{ email: '  ', password }, 'email', messages.field.emailRequired],
  [{ email: 'ann', password }, 'email', messages.field.emailInvalid],
  [{ email }, 'password', messages.field.passwordRequired],
  [{ email, password: '12345' }, 'password', messages.field.passwordTooShort],
  [{ email, password: 'x'.repeat(257) }, 'password', messages.field.tooLong(256)],
  [{ email, password: '123456' }, 'password', accountMessages.password.common],
  [{ email, password: 'PASSWORD' }, 'password', accountMessages.password.common],
])('rejects %j at the field', async (body, path, message) => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().post('/api/auth/sign-up', body);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: 'invalid_input',
    issues: [{ path, message }],
  });
});

test('keeps spaces and more than 72 characters of a password', async () => {
  await using testApp = await makeTestApp();
  const long = ` ${'x'.repeat(100)} ø 🔑 `;
  await testApp.browser().post('/api/auth/sign-up', { email, password: long });
  await testApp.deps.outbox.drain();
  await testApp.browser().post('/api/auth/confirm', { token: tokenEmailedTo(testApp, email) });

  const signIn = (password: string) =>
    testApp.browser().post('/api/auth/sign-in', { email, password });
  expect((await signIn(long)).status).toBe(200);
  expect((await signIn(long.trim())).status).toBe(401);
  expect((await signIn(long.slice(0, 90))).status).toBe(401);
});

test('redirects a form without JavaScript to the result', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  const done = await browser.submit('/api/auth/sign-up', { email, password });
  expect([done.status, done.headers.get('Location')]).toEqual([303, '/auth#signed-up']);

  const refused = await browser.submit('/api/auth/sign-up', { email: 'ann', password });
  expect([refused.status, refused.headers.get('Location')]).toEqual([
    303,
    '/auth/again?entered=ann#sign-up-invalid',
  ]);

  const common = await browser.submit('/api/auth/sign-up', { email, password: 'password' });
  expect([common.status, common.headers.get('Location')]).toEqual([
    303,
    `/auth/again?${new URLSearchParams({ entered: email })}#sign-up-common`,
  ]);
});

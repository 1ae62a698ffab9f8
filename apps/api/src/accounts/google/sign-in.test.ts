import { emailTokens, identities, profiles, sessions, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  ann,
  errorPage,
  goToGoogle,
  signInWithGoogle,
  startWithGoogle,
} from '../../testing/google.ts';
import { allRows } from '../../testing/tables.ts';
import { signedInBrowser, type TestApp, tokenEmailedTo, userOf } from '../../testing/test-app.ts';

const { email, sub } = ann;

const accounts = ({ deps }: TestApp) => deps.db.select().from(users);
const links = ({ deps }: TestApp) =>
  deps.db.select({ subject: identities.subject, userId: identities.userId }).from(identities);

test('creates a confirmed account with the name and without a password', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();

  expect(await signInWithGoogle(browser, provider)).toBe('/blog');

  expect(await userOf(browser)).toEqual({
    id: expect.any(String),
    email,
    mayWrite: true,
    isStaff: false,
    username: null,
    fullName: 'Ann Author',
    avatarUrl: null,
  });
  const [account] = await accounts(testApp);
  expect(account).toMatchObject({ emailConfirmedAt: testApp.clock.now(), passwordHash: null });
  expect(await links(testApp)).toEqual([{ subject: sub, userId: account?.id }]);
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toEqual([]);
});

test('stores only the subject of the Google account', async () => {
  const { testApp, provider } = await startWithGoogle();
  provider.person = { ...ann, picture: 'https://pictures.example/ann', locale: 'en' };
  await signInWithGoogle(testApp.browser(), provider);
  const rows = allRows(testApp.deps.db);
  expect(rows['identities']).toEqual([
    {
      provider: 'google',
      subject: sub,
      user_id: expect.any(String),
      created_at: testApp.clock.now(),
    },
  ]);
  expect(rows['oauth_attempts']).toEqual([]);
  expect(JSON.stringify(rows)).not.toContain('pictures.example');
});

test.each([
  [undefined, null],
  ['', null],
  ['A', null],
  ['x'.repeat(101), null],
  ['  Zoë  ', 'Zoë'],
  ['A\u030Asa', 'Åsa'],
])('stores the name %j as %j', async (name, fullName) => {
  const { testApp, provider } = await startWithGoogle();
  provider.person = { ...ann, name };
  const browser = testApp.browser();
  expect(await signInWithGoogle(browser, provider)).toBe('/blog');
  expect((await userOf(browser))?.fullName).toBe(fullName);
});

test('finds the account by subject, even with another email', async () => {
  const { testApp, provider } = await startWithGoogle();
  await signInWithGoogle(testApp.browser(), provider);
  await signedInBrowser(testApp, 'other@example.com');
  for (const address of ['ann@new.example', 'other@example.com']) {
    provider.person = { ...ann, email: address };
    const browser = testApp.browser();
    expect(await signInWithGoogle(browser, provider)).toBe('/blog');
    expect(await userOf(browser)).toMatchObject({ email });
  }
  expect(await accounts(testApp)).toHaveLength(2);
});

test('finds the account by subject, even without a verified email', async () => {
  const { testApp, provider } = await startWithGoogle();
  await signInWithGoogle(testApp.browser(), provider);
  provider.person = { ...ann, email_verified: false };
  const browser = testApp.browser();
  expect(await signInWithGoogle(browser, provider)).toBe('/blog');
  expect(await userOf(browser)).toMatchObject({ email });
});

test('does not sign in to an account with a reused email', async () => {
  const { testApp, provider } = await startWithGoogle();
  await signInWithGoogle(testApp.browser(), provider);
  const before = allRows(testApp.deps.db);
  provider.person = { ...ann, sub: 'another-one' };
  const browser = testApp.browser();
  expect(await signInWithGoogle(browser, provider)).toBe(errorPage('google_other_account'));
  expect(await userOf(browser)).toBeNull();
  expect(allRows(testApp.deps.db)).toEqual({
    ...before,
    rate_limits: expect.any(Array),
  });
});

test('compares emails case-insensitively', async () => {
  const { testApp, provider } = await startWithGoogle();
  provider.person = { ...ann, email: 'ANN@Example.com' };
  const browser = testApp.browser();
  await signInWithGoogle(browser, provider);
  expect(await userOf(browser)).toMatchObject({ email });
});

test('ends the previous session', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = await signedInBrowser(testApp, 'other@example.com');
  const before = browser.cookies.get('session') ?? '';
  await signInWithGoogle(browser, provider);
  expect(await userOf(browser)).toMatchObject({ email });
  expect(await testApp.deps.sessions.find(before)).toBeNull();
});

test.each([false, undefined, null, 'true', 'True', 1, {}])(
  'rejects an email verified as %j',
  async (verified) => {
    const { testApp, provider } = await startWithGoogle();
    provider.person = { ...ann, email_verified: verified };
    const browser = testApp.browser();
    expect(await signInWithGoogle(browser, provider)).toBe(errorPage('google_unverified'));
    expect(await userOf(browser)).toBeNull();
    expect([await accounts(testApp), await links(testApp)]).toEqual([[], []]);
  },
);

test.each([
  undefined,
  '',
  'ann',
  `${'a'.repeat(250)}@example.com`,
  'ann@example.com\r\nBcc: x@y.z',
])('rejects the invalid email %j', async (address) => {
  const { testApp, provider } = await startWithGoogle();
  provider.person = { ...ann, email: address };
  expect(await signInWithGoogle(testApp.browser(), provider)).toBe(errorPage('google_unverified'));
  expect(await accounts(testApp)).toEqual([]);
});

test('fifty concurrent callbacks of a new Google account create one account', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browsers = Array.from({ length: 50 }, () => testApp.browser());
  const returns = await Promise.all(
    browsers.map(async (browser) => ({ browser, path: await goToGoogle(browser, provider) })),
  );
  const answers = await Promise.all(returns.map(({ browser, path }) => browser.get(path)));
  expect(new Set(answers.map(({ headers }) => headers.get('Location')))).toEqual(
    new Set(['/blog']),
  );
  const [account, ...others] = await accounts(testApp);
  expect(others).toEqual([]);
  expect(await links(testApp)).toEqual([{ subject: sub, userId: account?.id }]);
});

test('taking over an unconfirmed account deletes the data of its creator', async () => {
  const { testApp, provider } = await startWithGoogle();
  const { deps } = testApp;
  const password = 'the stranger’s own';
  const stranger = testApp.browser();
  await stranger.post('/api/auth/sign-up', { email, password });
  await deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  const [{ id = '' } = {}] = await accounts(testApp);
  // Left by the creator of the account.
  await deps.db.update(profiles).set({ username: 'stranger', fullName: 'A Stranger' });
  await deps.db.insert(emailTokens).values({
    tokenHash: 'of-another-link',
    purpose: 'reset-password',
    userId: id,
    expiresAt: testApp.clock.now() + 60_000,
    createdAt: testApp.clock.now(),
  });
  const sessionId = (await deps.sessions.start({ userId: id }, { device: '' }))?.sessionId ?? '';

  const owner = testApp.browser();
  expect(await signInWithGoogle(owner, provider)).toBe('/blog');

  expect(await userOf(owner)).toMatchObject({ email, fullName: 'Ann Author', username: null });
  expect(await accounts(testApp)).toMatchObject([
    { email, passwordHash: null, emailConfirmedAt: testApp.clock.now() },
  ]);
  expect(await deps.db.select().from(emailTokens)).toEqual([]);
  expect(await deps.sessions.find(sessionId)).toBeNull();
  expect(await deps.db.select().from(sessions)).toHaveLength(1);
  expect((await testApp.browser().post('/api/auth/sign-in', { email, password })).status).toBe(401);
  expect((await stranger.post('/api/auth/confirm', { token })).status).toBe(410);
  expect(await userOf(stranger)).toBeNull();
});

test('of a concurrent takeover and confirmation, the first wins', async () => {
  const { testApp, provider } = await startWithGoogle();
  const { deps } = testApp;
  const visitor = testApp.browser();
  await visitor.post('/api/auth/sign-up', { email, password: 'correct horse' });
  await deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);

  const [confirmed, returned] = await Promise.all([
    visitor.post('/api/auth/confirm', { token }),
    browser.get(path),
  ]);

  const [account] = await accounts(testApp);
  const isLinked = (await links(testApp)).length === 1;
  expect(returned.headers.get('Location')).toBe(
    isLinked ? '/blog' : '/auth?link=google#google-link',
  );
  // Never both linked and accessible with the other's password.
  expect(account?.passwordHash === null).toBe(isLinked);
  expect(confirmed.status).toBe(isLinked ? 410 : 200);
});

test('does not link a confirmed account without its password', async () => {
  const { testApp, provider } = await startWithGoogle();
  await signedInBrowser(testApp, email);
  const browser = testApp.browser();

  expect(await signInWithGoogle(browser, provider)).toBe('/auth?link=google#google-link');

  expect(await userOf(browser)).toBeNull();
  expect(await links(testApp)).toEqual([]);
  const [account] = await testApp.deps.db.select().from(users).where(eq(users.email, email));
  expect(account?.passwordHash).toMatch(/^\$argon2id\$/);
});

import { accountMessages } from '@app/contract/accounts/messages';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { hour } from '@app/contract/durations';
import { emailTokens, sessions, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  changeRequested,
  confirmChange,
  email,
  newEmail,
  password,
  requestChange,
  signedInAgain,
} from '../../testing/email-change.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  tokenEmailedTo,
} from '../../testing/test-app.ts';

const signInStatus = async (testApp: TestApp, address: string) =>
  (await testApp.browser().post('/api/auth/sign-in', { email: address, password })).status;

test('keeps the old email until the link is followed', async () => {
  await using testApp = await makeTestApp();
  const { ann, token } = await changeRequested(testApp);
  expect(await signInStatus(testApp, email)).toBe(200);
  expect(await signInStatus(testApp, newEmail)).toBe(401);

  const response = await confirmChange(ann, token);

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ user: { email: newEmail } });
  expect(await signInStatus(testApp, email)).toBe(401);
  expect(await signInStatus(testApp, newEmail)).toBe(200);
});

test('keeps sessions, notifies the old address and ends other links', async () => {
  await using testApp = await makeTestApp();
  const { ann, token } = await changeRequested(testApp);
  await testApp.deps.db.insert(emailTokens).values({
    tokenHash: 'of another link',
    purpose: 'reset-password',
    userId: (await testApp.deps.db.select().from(users))[0]?.id ?? '',
    expiresAt: testApp.clock.now() + hour,
    createdAt: testApp.clock.now(),
  });

  await confirmChange(ann, token);

  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
  expect((await ann.get('/api/auth/sessions')).status).toBe(200);
  for (const { usedAt } of await testApp.deps.db.select().from(emailTokens)) {
    expect(usedAt).not.toBeNull();
  }
  await testApp.deps.outbox.drain();
  const sentEmail = testApp.emails.sent.at(-1);
  expect(sentEmail).toMatchObject({ kind: 'email-changed', to: email });
  expect(sentEmail?.text).toContain(newEmail);
});

test('the link works in another browser without signing in', async () => {
  await using testApp = await makeTestApp();
  const { token } = await changeRequested(testApp);
  const other = testApp.browser();

  const response = await confirmChange(other, token);

  expect([response.status, await response.json()]).toEqual([200, { changed: true }]);
  expect(response.headers.getSetCookie()).toEqual([]);
  const { user } = (await (await other.get('/api/auth/session')).json()) as SessionReply;
  expect(user).toBeNull();
});

test('opening the link, as email scanners do, changes nothing', async () => {
  await using testApp = await makeTestApp();
  const { token } = await changeRequested(testApp);
  const rows = allRows(testApp.deps.db);

  const page = await testApp.browser().get(`/auth/change-email?token=${token}`);

  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
  expect(await page.text()).toContain(
    JSON.stringify({ kind: 'emailChange', token, email: newEmail }),
  );
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

test.each<[string, (testApp: TestApp, ann: TestBrowser, token: string) => unknown]>([
  ['used', (_, ann, token) => confirmChange(ann, token)],
  ['older than 24 hours', ({ clock }) => clock.move(24 * hour)],
  ['replaced by a newer one', (_, ann) => requestChange(ann, 'ann@newer.example')],
  ['older than the password', (_, ann) => ann.send('PUT', '/api/auth/password', { password })],
  ['from a session that signed out', (_, ann) => ann.post('/api/auth/sign-out', {})],
  [
    'from a session that its owner ended elsewhere',
    async (testApp) => {
      const owner = await signedInAgain(testApp);
      await owner.request('DELETE', '/api/auth/sessions');
    },
  ],
  [
    'from a session that has expired',
    ({ deps, clock }) => deps.db.update(sessions).set({ expiresAt: clock.now() }).run(),
  ],
  [
    'canceled from the old address',
    async (testApp) => {
      const token = tokenEmailedTo(testApp, email);
      await testApp.browser().post('/api/auth/cancel-email-change', { token });
    },
  ],
])('rejects a link that is %s', async (_what, kill) => {
  await using testApp = await makeTestApp();
  const { ann, token } = await changeRequested(testApp);
  await kill(testApp, ann, token);
  await testApp.deps.outbox.drain();
  const rows = allRows(testApp.deps.db);

  const response = await confirmChange(testApp.browser(), token);
  const page = await testApp.browser().get(`/auth/change-email?token=${token}`);

  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({
    code: 'dead_link',
    detail: accountMessages.settings.emailDeadLink,
  });
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/profile#email-dead-link']);
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

test('rejects tokens of other purposes and unknown ones', async () => {
  await using testApp = await makeTestApp();
  await changeRequested(testApp);
  const before = await testApp.deps.db.select().from(users);
  await testApp.browser().post('/api/auth/sign-up', { email: 'eve@example.com', password });
  await testApp.deps.outbox.drain();
  for (const token of [tokenEmailedTo(testApp, 'eve@example.com'), 'made-up', 'x'.repeat(200)]) {
    expect((await confirmChange(testApp.browser(), token)).status).toBe(410);
  }
  expect(await testApp.deps.db.select().from(users)).toEqual(expect.arrayContaining(before));
});

test('the link neither confirms a sign-up nor resets a password', async () => {
  await using testApp = await makeTestApp();
  const { token } = await changeRequested(testApp);
  expect((await testApp.browser().post('/api/auth/confirm', { token })).status).toBe(410);
});

test('of 50 concurrent uses, one succeeds', async () => {
  await using testApp = await makeTestApp();
  const { token } = await changeRequested(testApp);

  const responses = await Promise.all(
    Array.from({ length: 50 }, () => confirmChange(testApp.browser(), token)),
  );

  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(410)]);
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.filter(({ kind }) => kind === 'email-changed')).toHaveLength(1);
});

describe('an address that another account may get first', () => {
  test.each(['the sign-up', 'the change'])(
    'if %s is confirmed first, confirming the other changes nothing',
    async (first) => {
      await using testApp = await makeTestApp();
      const { ann, token } = await changeRequested(testApp);
      const newcomer = testApp.browser();
      await newcomer.post('/api/auth/sign-up', { email: newEmail, password: 'of the newcomer' });
      await testApp.deps.outbox.drain();
      const ofSignUp = tokenEmailedTo(testApp, newEmail);
      const signUp = async () =>
        (await newcomer.post('/api/auth/confirm', { token: ofSignUp })).status;
      const change = async () => (await confirmChange(ann, token)).status;

      const statuses =
        first === 'the sign-up'
          ? [await signUp(), await change()]
          : [await change(), await signUp()];

      expect(statuses).toEqual([200, 410]);
      const addresses = (await testApp.deps.db.select().from(users)).map((user) => user.email);
      expect(addresses.sort()).toEqual(first === 'the sign-up' ? [email, newEmail] : [newEmail]);
      await testApp.deps.outbox.drain();
      const notices = testApp.emails.sent.filter(({ kind }) => kind === 'email-changed');
      expect(notices).toHaveLength(first === 'the sign-up' ? 0 : 1);
    },
  );

  test('of a concurrent sign-up and change, one succeeds', async () => {
    await using testApp = await makeTestApp();
    const { ann, token } = await changeRequested(testApp);
    const newcomer = testApp.browser();
    await newcomer.post('/api/auth/sign-up', { email: newEmail, password: 'of the newcomer' });
    await testApp.deps.outbox.drain();
    const ofSignUp = tokenEmailedTo(testApp, newEmail);

    const responses = await Promise.all([
      confirmChange(ann, token),
      newcomer.post('/api/auth/confirm', { token: ofSignUp }),
    ]);

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410]);
    const owners = await testApp.deps.db.select().from(users).where(eq(users.email, newEmail));
    expect(owners).toHaveLength(1);
  });

  test('of two accounts that request it, the first to follow its link gets it', async () => {
    await using testApp = await makeTestApp();
    const { ann, token } = await changeRequested(testApp);
    const bob = await signedInBrowser(testApp, 'bob@example.com');
    await requestChange(bob);
    await testApp.deps.outbox.drain();
    const ofBob = tokenEmailedTo(testApp, newEmail);

    const responses = await Promise.all([confirmChange(ann, token), confirmChange(bob, ofBob)]);

    expect(responses.map(({ status }) => status)).toEqual([200, 410]);
    const addresses = (await testApp.deps.db.select().from(users)).map((user) => user.email);
    expect(addresses.sort()).toEqual([newEmail, 'bob@example.com']);
  });
});

describe('a form without JavaScript', () => {
  test('is redirected from the link’s page', async () => {
    await using testApp = await makeTestApp();
    const { ann, token } = await changeRequested(testApp);
    const pageAfter = async (browser: TestBrowser) =>
      (await browser.submit('/api/auth/change-email', { token })).headers.get('Location');
    expect(await pageAfter(ann)).toBe('/profile#email-changed');
    expect(await pageAfter(ann)).toBe('/profile#email-dead-link');
  });

  test('is redirected to /auth in a signed-out browser', async () => {
    await using testApp = await makeTestApp();
    const { token } = await changeRequested(testApp);
    const response = await testApp.browser().submit('/api/auth/change-email', { token });
    expect(response.headers.get('Location')).toBe('/auth#email-changed');
  });
});

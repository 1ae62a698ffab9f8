import { accountMessages } from '@app/contract/accounts/messages';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { limits } from '@app/contract/limits';
import { emailTokens, sessions, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import { holdRequest } from '../../testing/held-request.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  publicUrl,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  tokenEmailedTo,
} from '../../testing/test-app.ts';

const email = 'ann@example.com';
const newEmail = 'ann@new.example';
const password = 'correct horse';
const hour = 60 * 60 * 1_000;

const ask = (browser: TestBrowser, address = newEmail) =>
  browser.post('/api/auth/email', { email: address });
const confirm = (browser: TestBrowser, token: string) =>
  browser.post('/api/auth/change-email', { token });
const signInStatus = async (testApp: TestApp, address: string) =>
  (await testApp.browser().post('/api/auth/sign-in', { email: address, password })).status;

/** Ann's browser after the request, and the token sent to the new address. */
async function asked(testApp: TestApp): Promise<{ ann: TestBrowser; token: string }> {
  const ann = await signedInBrowser(testApp, email);
  expect((await ask(ann)).status).toBe(202);
  await testApp.deps.outbox.drain();
  return { ann, token: tokenEmailedTo(testApp, newEmail) };
}

async function signedInAgain(testApp: TestApp): Promise<TestBrowser> {
  const browser = testApp.browser();
  await browser.post('/api/auth/sign-in', { email, password });
  return browser;
}

test('keeps the old email until the link is followed', async () => {
  await using testApp = await makeTestApp();
  const { ann, token } = await asked(testApp);
  expect(await signInStatus(testApp, email)).toBe(200);
  expect(await signInStatus(testApp, newEmail)).toBe(401);

  const response = await confirm(ann, token);

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ user: { email: newEmail } });
  expect(await signInStatus(testApp, email)).toBe(401);
  expect(await signInStatus(testApp, newEmail)).toBe(200);
});

test('ignores the Host header for the link', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  const ann = await signedInBrowser(testApp, email);
  await ann.request('POST', '/api/auth/email', {
    headers: {
      'Content-Type': 'application/json',
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
    },
    body: JSON.stringify({ email: newEmail }),
  });
  await testApp.deps.outbox.drain();
  const sentEmail = testApp.emails.sent.at(-1);
  expect(sentEmail).toMatchObject({ kind: 'email-change', to: newEmail });
  expect(sentEmail?.text).toContain(`${publicUrl}/auth/change-email?token=`);
  expect(`${sentEmail?.text}${sentEmail?.html}`).not.toContain('evil');
});

test('keeps sessions, updates posts, notifies the old address and ends other links', async () => {
  await using testApp = await makeTestApp();
  const { ann, token } = await asked(testApp);
  await ann.post('/api/posts', { title: 'Title', content: 'Text', published: true });
  await testApp.deps.db.insert(emailTokens).values({
    tokenHash: 'of another link',
    purpose: 'reset-password',
    userId: (await testApp.deps.db.select().from(users))[0]?.id ?? '',
    expiresAt: testApp.clock.now() + hour,
    createdAt: testApp.clock.now(),
  });

  await confirm(ann, token);

  expect(await testApp.deps.db.select().from(sessions)).toHaveLength(1);
  expect((await ann.get('/api/auth/sessions')).status).toBe(200);
  expect(await testApp.deps.db.select().from(blogPosts)).toMatchObject([{ authorEmail: newEmail }]);
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
  const { token } = await asked(testApp);
  const other = testApp.browser();

  const response = await confirm(other, token);

  expect([response.status, await response.json()]).toEqual([200, { changed: true }]);
  expect(response.headers.getSetCookie()).toEqual([]);
  const { user } = (await (await other.get('/api/auth/session')).json()) as SessionReply;
  expect(user).toBeNull();
});

test('opening the link, as email scanners do, changes nothing', async () => {
  await using testApp = await makeTestApp();
  const { token } = await asked(testApp);
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
  ['used', (_, ann, token) => confirm(ann, token)],
  ['older than 24 hours', ({ clock }) => clock.move(24 * hour)],
  ['replaced by a newer one', (_, ann) => ask(ann, 'ann@newer.example')],
  ['older than the password', (_, ann) => ann.send('PUT', '/api/auth/password', { password })],
  ['of a session that signed out', (_, ann) => ann.post('/api/auth/sign-out', {})],
  [
    'of a session that its owner ended elsewhere',
    async (testApp) => {
      const owner = await signedInAgain(testApp);
      await owner.request('DELETE', '/api/auth/sessions');
    },
  ],
  [
    'of a session that has expired',
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
  const { ann, token } = await asked(testApp);
  await kill(testApp, ann, token);
  const rows = allRows(testApp.deps.db);

  const response = await confirm(testApp.browser(), token);
  const page = await testApp.browser().get(`/auth/change-email?token=${token}`);

  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({
    code: 'dead_link',
    detail: accountMessages.settings.emailDeadLink,
  });
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/profile#email-dead-link']);
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

describe('the old address', () => {
  test('is notified at once, with a link to a page with a button', async () => {
    await using testApp = await makeTestApp();
    await asked(testApp);
    const sentEmail = testApp.emails.sent.find(({ kind }) => kind === 'email-change-requested');
    expect(sentEmail).toMatchObject({ to: email });
    expect(sentEmail?.text).toContain(newEmail);
    const token = tokenEmailedTo(testApp, email);
    expect(sentEmail?.text).toContain(`${publicUrl}/auth/cancel-email-change?token=${token}`);
    const rows = allRows(testApp.deps.db);

    const page = await testApp.browser().get(`/auth/cancel-email-change?token=${token}`);

    expect(await page.text()).toContain(
      JSON.stringify({ kind: 'emailChangeCancel', token, email: newEmail }),
    );
    expect(page.headers.get('Cache-Control')).toBe('private, no-store');
    expect(allRows(testApp.deps.db)).toEqual(rows);
  });

  test('can cancel, which signs out the browser that requested the change', async () => {
    await using testApp = await makeTestApp();
    const { ann: thief, token } = await asked(testApp);
    const owner = await signedInAgain(testApp);

    const cancelToken = tokenEmailedTo(testApp, email);
    const browser = testApp.browser();

    for (const page of ['/auth/forgot#change-cancelled', '/auth/forgot#cannot-cancel']) {
      const response = await browser.submit('/api/auth/cancel-email-change', {
        token: cancelToken,
      });
      expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
    }
    expect((await confirm(thief, token)).status).toBe(410);
    expect((await thief.get('/api/auth/sessions')).status).toBe(401);
    expect((await owner.get('/api/auth/sessions')).status).toBe(200);
  });

  test('a completed change cannot be canceled; the reply says whom to contact', async () => {
    await using testApp = await makeTestApp();
    const { ann, token } = await asked(testApp);
    const cancelToken = tokenEmailedTo(testApp, email);
    await confirm(ann, token);
    const before = await testApp.deps.db.select().from(users);

    for (const dead of [cancelToken, token, 'made-up']) {
      const browser = testApp.browser();
      const response = await browser.post('/api/auth/cancel-email-change', { token: dead });
      expect(await response.json()).toMatchObject({
        code: 'dead_link',
        detail: accountMessages.settings.emailCancelDeadLink.description,
      });
      const form = await browser.submit('/api/auth/cancel-email-change', { token: dead });
      const page = await browser.get(`/auth/cancel-email-change?token=${dead}`);
      for (const { status, headers } of [form, page]) {
        expect([status, headers.get('Location')]).toEqual([303, '/auth/forgot#cannot-cancel']);
      }
    }
    expect(await testApp.deps.db.select().from(users)).toEqual(before);
  });
});

test('does not change the email if the session ends while the body is sent', async () => {
  await using testApp = await makeTestApp();
  const thief = await signedInBrowser(testApp, email);
  const owner = await signedInAgain(testApp);
  const held = holdRequest(thief, 'POST', '/api/auth/email', {
    body: JSON.stringify({ email: 'thief@example.com' }),
  });
  await held.isAwaited;
  await owner.send('PUT', '/api/auth/password', { password: 'battery staple' });

  expect((await held.release()).status).toBe(401);

  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.filter(({ to }) => to === 'thief@example.com')).toEqual([]);
});

test('rejects tokens of other purposes and unknown ones', async () => {
  await using testApp = await makeTestApp();
  await asked(testApp);
  const before = await testApp.deps.db.select().from(users);
  await testApp.browser().post('/api/auth/sign-up', { email: 'eve@example.com', password });
  await testApp.deps.outbox.drain();
  for (const token of [tokenEmailedTo(testApp, 'eve@example.com'), 'made-up', 'x'.repeat(200)]) {
    expect((await confirm(testApp.browser(), token)).status).toBe(410);
  }
  expect(await testApp.deps.db.select().from(users)).toEqual(expect.arrayContaining(before));
});

test('the link neither confirms a sign-up nor resets a password', async () => {
  await using testApp = await makeTestApp();
  const { token } = await asked(testApp);
  expect((await testApp.browser().post('/api/auth/confirm', { token })).status).toBe(410);
});

test('of 50 concurrent uses, one succeeds', async () => {
  await using testApp = await makeTestApp();
  const { token } = await asked(testApp);

  const responses = await Promise.all(
    Array.from({ length: 50 }, () => confirm(testApp.browser(), token)),
  );

  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(410)]);
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.filter(({ kind }) => kind === 'email-changed')).toHaveLength(1);
});

describe('an email that has an account', () => {
  test('is notified, with the same reply to the caller', async () => {
    await using testApp = await makeTestApp();
    await signedInBrowser(testApp, 'bob@example.com');
    const ann = await signedInBrowser(testApp, email);
    const answer = async (address: string) => {
      const response = await ask(ann, address);
      const { 'x-request-id': _, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: await response.text() };
    };

    const free = await answer(newEmail);
    const taken = await answer('bob@example.com');

    expect(free.status).toBe(202);
    expect(taken).toEqual(free);
    await testApp.deps.outbox.drain();
    const sentEmail = testApp.emails.sent.at(-1);
    expect(sentEmail).toMatchObject({ kind: 'address-taken', to: 'bob@example.com' });
    expect(sentEmail?.text).not.toContain(email);
    expect(sentEmail?.text).not.toContain('token=');
  });

  test.each(['the sign-up', 'the change'])(
    'the first of %s to be confirmed wins, and the other changes nothing',
    async (first) => {
      await using testApp = await makeTestApp();
      const { ann, token } = await asked(testApp);
      const newcomer = testApp.browser();
      await newcomer.post('/api/auth/sign-up', { email: newEmail, password: 'of the newcomer' });
      await testApp.deps.outbox.drain();
      const ofSignUp = tokenEmailedTo(testApp, newEmail);
      const signUp = async () =>
        (await newcomer.post('/api/auth/confirm', { token: ofSignUp })).status;
      const change = async () => (await confirm(ann, token)).status;

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
    const { ann, token } = await asked(testApp);
    const newcomer = testApp.browser();
    await newcomer.post('/api/auth/sign-up', { email: newEmail, password: 'of the newcomer' });
    await testApp.deps.outbox.drain();
    const ofSignUp = tokenEmailedTo(testApp, newEmail);

    const responses = await Promise.all([
      confirm(ann, token),
      newcomer.post('/api/auth/confirm', { token: ofSignUp }),
    ]);

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410]);
    const owners = await testApp.deps.db.select().from(users).where(eq(users.email, newEmail));
    expect(owners).toHaveLength(1);
  });

  test('of two accounts that request it, the first to follow its link gets it', async () => {
    await using testApp = await makeTestApp();
    const { ann, token } = await asked(testApp);
    const bob = await signedInBrowser(testApp, 'bob@example.com');
    await ask(bob);
    await testApp.deps.outbox.drain();
    const ofBob = tokenEmailedTo(testApp, newEmail);

    const responses = await Promise.all([confirm(ann, token), confirm(bob, ofBob)]);

    expect(responses.map(({ status }) => status)).toEqual([200, 410]);
    const addresses = (await testApp.deps.db.select().from(users)).map((user) => user.email);
    expect(addresses.sort()).toEqual([newEmail, 'bob@example.com']);
  });
});

test('rejects the current email', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const response = await ask(ann, ' ANN@example.com ');
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    issues: [{ path: 'email', message: accountMessages.settings.emailSame }],
  });
});

test.each(['ann', 'ann@example.com\r\nBcc: eve@example.com', 'a@b@c.example'])(
  'rejects the email %j',
  async (address) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    expect((await ask(ann, address)).status).toBe(422);
  },
);

test('requires a recent sign-in', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  testApp.clock.move(limits.recentSignIn);
  const rows = allRows(testApp.deps.db);
  expect(await (await ask(ann)).json()).toMatchObject({ code: 'sign_in_again' });
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

describe('emails', () => {
  test('are limited to five per hour and account', async () => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    for (let n = 0; n < 5; n += 1) expect((await ask(ann, `a${n}@new.example`)).status).toBe(202);

    const refused = await ask(ann, 'a6@new.example');

    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('3600');
    expect(await refused.json()).toMatchObject({ detail: accountMessages.limits.emails(3_600) });
    testApp.clock.move(hour);
    await ann.post('/api/auth/sign-in-again', { password });
    expect((await ask(ann, 'a6@new.example')).status).toBe(202);
  });

  test.each(['free@new.example', 'bob@example.com'])(
    'are limited to three per day for %s, across accounts',
    async (address) => {
      await using testApp = await makeTestApp();
      await signedInBrowser(testApp, 'bob@example.com');
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        const browser = await signedInBrowser(testApp, `ann${n}@example.com`);
        statuses.push((await ask(browser, address)).status);
      }
      expect(statuses).toEqual([202, 202, 202, 429]);
      const last = await signedInBrowser(testApp, 'eve@example.com');
      const form = await last.submit('/api/auth/email', { email: address });
      expect(form.headers.get('Location')).toBe('/profile#email-failed');
    },
  );
});

describe('a form without JavaScript', () => {
  test.each([
    [newEmail, '/profile#email-sent'],
    ['nonsense', '/profile#email-invalid'],
    [email, '/profile#email-invalid'],
  ])('with %j is redirected to %s', async (address, page) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    const response = await ann.submit('/api/auth/email', { email: address });
    expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
  });

  test('is redirected from the link’s page', async () => {
    await using testApp = await makeTestApp();
    const { ann, token } = await asked(testApp);
    const pageAfter = async (browser: TestBrowser) =>
      (await browser.submit('/api/auth/change-email', { token })).headers.get('Location');
    expect(await pageAfter(ann)).toBe('/profile#email-changed');
    expect(await pageAfter(ann)).toBe('/profile#email-dead-link');
  });

  test('is redirected to /auth in a signed-out browser', async () => {
    await using testApp = await makeTestApp();
    const { token } = await asked(testApp);
    const response = await testApp.browser().submit('/api/auth/change-email', { token });
    expect(response.headers.get('Location')).toBe('/auth#email-changed');
  });
});

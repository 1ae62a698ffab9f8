import { accountMessages } from '@app/contract/accounts/messages';
import { hour } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { describe, expect, test } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import {
  email,
  newEmail,
  password,
  requestChange,
  signedInAgain,
} from '../../testing/email-change.ts';
import { holdRequest } from '../../testing/held-request.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, publicUrl, signedInBrowser, tokenEmailedTo } from '../../testing/test-app.ts';

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
  // Rendered and sent at the same time as the email to the old address.
  const sentEmail = testApp.emails.sent.find(({ kind }) => kind === 'email-change');
  expect(sentEmail).toMatchObject({ to: newEmail });
  expect(sentEmail?.text).toContain(`${publicUrl}/auth/change-email?token=`);
  expect(`${sentEmail?.text}${sentEmail?.html}`).not.toContain('evil');
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

test('notifies an address that has an account, and replies the same to the caller', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, 'bob@example.com');
  const ann = await signedInBrowser(testApp, email);
  const answer = async (address: string) => {
    const response = await requestChange(ann, address);
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

test('rejects the current email', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const response = await requestChange(ann, ' ANN@example.com ');
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
    expect((await requestChange(ann, address)).status).toBe(422);
  },
);

test('requires a recent sign-in', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  testApp.clock.move(limits.recentSignIn);
  const rows = allRows(testApp.deps.db);
  expect(await (await requestChange(ann)).json()).toMatchObject({ code: 'sign_in_again' });
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

describe('emails', () => {
  test('are limited to five per hour and account', async () => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    for (let n = 0; n < 5; n += 1)
      expect((await requestChange(ann, `a${n}@new.example`)).status).toBe(202);

    const refused = await requestChange(ann, 'a6@new.example');

    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('3600');
    expect(await refused.json()).toMatchObject({ detail: accountMessages.limits.emails(3_600) });
    testApp.clock.move(hour);
    await ann.post('/api/auth/sign-in-again', { password });
    expect((await requestChange(ann, 'a6@new.example')).status).toBe(202);
  });

  test.each([
    ['free+1@new.example', 'free@new.example'],
    ['bob@example.com', 'Bob+work@example.com'],
    ['an.n@gmail.com', 'a.nn@googlemail.com'],
  ])('are limited to two per day for the mailbox of %s, across accounts', async (...addresses) => {
    await using testApp = await makeTestApp();
    await signedInBrowser(testApp, 'bob@example.com');
    const statuses: number[] = [];
    for (const address of [...addresses, ...addresses]) {
      const browser = await signedInBrowser(testApp, `${crypto.randomUUID()}@example.com`);
      statuses.push((await requestChange(browser, address)).status);
    }
    expect(statuses).toEqual([202, 202, 429, 429]);
    const last = await signedInBrowser(testApp, 'eve@example.com');
    const form = await last.submit('/api/auth/email', { email: addresses[0] });
    expect(form.headers.get('Location')).toMatch(/^\/profile\?email=.*#email-failed$/);
  });

  test('that were sent keep their links when another one is refused', async () => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    for (const status of [202, 202, 429]) {
      expect((await requestChange(ann, newEmail)).status).toBe(status);
    }
    await testApp.deps.outbox.drain();
    const token = tokenEmailedTo(testApp, newEmail);
    expect((await ann.post('/api/auth/change-email', { token })).status).toBe(200);
  });
});

test.each([
  [newEmail, '/profile#email-sent'],
  ['nonsense', '/profile?email=nonsense#email-invalid'],
  ['', '/profile?email=#email-required'],
  [email, `/profile?email=${encodeURIComponent(email)}#email-same`],
])('a form without JavaScript with %j is redirected to %s', async (address, page) => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const response = await ann.submit('/api/auth/email', { email: address });
  expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
});

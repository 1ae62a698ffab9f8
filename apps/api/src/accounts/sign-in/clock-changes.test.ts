import { day } from '@app/contract/durations';
import {
  emailTokens,
  oauthAttempts,
  pendingIdentityLinks,
  sessions,
  users,
} from '@app/db/schema/accounts';
import { outbox } from '@app/db/schema/email';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { expect, test } from 'vitest';
import { findSavedEntries, saveEntries } from '../../forms/submit/saved-entries.ts';
import { makeTestApp, signedInBrowser, tokenEmailedTo } from '../../testing/test-app.ts';
import { deleteUnfinished } from '../google/cleanup.ts';
import { newAttempt, storeAttempt, takeAttempt } from '../google/oauth-attempts.ts';
import { createPendingLink } from '../google/pending-links.ts';

const email = 'ann@example.com';
const password = 'correct horse';
const years = 730 * day;

test('shortens a session started while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  testApp.clock.set(years);
  const browser = await signedInBrowser(testApp, email);
  testApp.clock.set(-years);

  expect((await browser.get('/api/auth/sessions')).status).toBe(200);
  const now = testApp.clock.now();
  expect(await testApp.deps.db.select().from(sessions)).toMatchObject([
    { createdAt: now, signedInAt: now, lastSeenAt: now, expiresAt: now + 30 * day },
  ]);
  testApp.clock.move(30 * day);
  expect((await browser.get('/api/auth/sessions')).status).toBe(401);
});

test('the cleanup shortens an unused session started while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  testApp.clock.set(years);
  await signedInBrowser(testApp, email);
  testApp.clock.set(-years);
  await testApp.deps.sessions.deleteExpired();
  testApp.clock.move(30 * day);
  await testApp.deps.sessions.deleteExpired();
  expect(await testApp.deps.db.select().from(sessions)).toEqual([]);
});

test('ends a lockout stored while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const signIn = (tried: string) =>
    testApp.browser().post('/api/auth/sign-in', { email, password: tried });
  testApp.clock.set(years);
  for (let n = 0; n < 10; n += 1) expect((await signIn('wrong horse')).status).toBe(401);
  expect((await signIn(password)).status).toBe(429);

  testApp.clock.set(-years);

  expect((await signIn(password)).status).toBe(200);
});

test('rejects a link from years ahead, but accepts one from a second ahead', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  testApp.clock.set(years);
  await browser.post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);

  testApp.clock.set(-years);
  expect((await browser.post('/api/auth/confirm', { token })).status).toBe(410);

  testApp.clock.set(years - 1_000);
  expect((await browser.post('/api/auth/confirm', { token })).status).toBe(200);
  expect(await testApp.deps.db.select().from(emailTokens)).toHaveLength(1);
});

test('sends an email scheduled while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  testApp.emails.answer = () => ({ outcome: 'failed', reason: 'no connection' });
  testApp.clock.set(years);
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  testApp.emails.answer = () => ({ outcome: 'sent' });
  testApp.clock.set(-years);

  await testApp.deps.outbox.drain();

  expect(await testApp.deps.db.select().from(outbox)).toMatchObject([{ state: 'sent' }]);
});

test.each([-1_000, -years, years])(
  'does not treat a message as spam when the clock changes by %i ms',
  async (change) => {
    await using testApp = await makeTestApp();
    const browser = testApp.browser();
    const { token } = (await (await browser.get('/api/forms/token')).json()) as { token: string };
    testApp.clock.move(2_500);
    testApp.clock.set(change);

    const message = { name: 'Vera', email: 'vera@example.com', message: 'Hello there' };
    expect((await browser.post('/api/contact', { ...message, formToken: token })).status).toBe(201);

    expect(await testApp.deps.db.select().from(contactSubmissions)).toMatchObject([
      { spamSignals: null },
    ]);
  },
);

test('rejects and deletes OAuth attempts and pending links stored while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  await signedInBrowser(testApp, email);
  const user = deps.db.select({ id: users.id }).from(users).get();
  const [used, left] = [newAttempt(), newAttempt()];
  testApp.clock.set(years);
  for (const attempt of [used, left]) await storeAttempt(deps, attempt, null);
  const person = { subject: '1', email, emailVerified: true, name: null };
  await createPendingLink(deps, person as Parameters<typeof createPendingLink>[1], user?.id ?? '');
  testApp.clock.set(-years);

  expect(await takeAttempt(deps, used.state)).toBeNull();
  await deleteUnfinished(deps);

  expect(deps.db.select().from(oauthAttempts).all()).toEqual([]);
  expect(deps.db.select().from(pendingIdentityLinks).all()).toEqual([]);
});

test('does not return entries saved while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  testApp.clock.set(years);
  const token = await saveEntries(deps, { form: 'contact', entries: { name: 'Vera' }, issues: [] });
  testApp.clock.set(-years);

  expect(findSavedEntries(deps, 'contact', token ?? '')).toBeNull();
});

test('ignores an idempotency key stored while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': 'c0ffee00-0000-4000-8000-000000000000',
  };
  const send = async (message: string) => {
    const body = JSON.stringify({ name: 'Vera', email: 'vera@example.com', message });
    return (await browser.request('POST', '/api/contact', { headers, body })).status;
  };
  testApp.clock.set(years);
  expect(await send('The first message')).toBe(201);
  expect(await send('Another message')).toBe(422);
  testApp.clock.set(-years);

  expect(await send('Another message')).toBe(201);
});

test('rejects a device cookie from years ahead, but accepts one from a second ahead', async () => {
  await using testApp = await makeTestApp();
  const { trustedDevices } = testApp.deps;
  const ann = { id: 'ann', passwordHash: null };
  testApp.clock.set(years);
  const ahead = trustedDevices.issue(ann);
  testApp.clock.set(-years);
  const cookie = trustedDevices.issue(ann);
  testApp.clock.set(-1_000);

  expect(trustedDevices.recognize(ahead, ann)).toBeNull();
  expect(trustedDevices.recognize(cookie, ann)).not.toBeNull();
});

test('sends another confirmation if the first was requested while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  const subscribe = () => testApp.browser().post('/api/newsletter', { email });
  testApp.clock.set(years);
  expect((await subscribe()).status).toBe(201);
  testApp.clock.set(-years);
  expect((await subscribe()).status).toBe(201);

  const expected = { state: 'pending', confirmationEmailsSent: 1 };
  expect(testApp.deps.db.select().from(newsletterSubscriptions).all()).toMatchObject([expected]);
});

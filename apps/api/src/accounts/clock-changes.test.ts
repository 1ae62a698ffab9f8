import { emailTokens, sessions } from '@app/db/schema/accounts';
import { contactSubmissions } from '@app/db/schema/contact';
import { outbox } from '@app/db/schema/mail';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTestApp, signedInBrowser, type TestApp, tokenMailedTo } from '../testing/test-app.ts';

const email = 'ann@example.com';
const password = 'correct horse';
const day = 24 * 60 * 60 * 1_000;
const years = 730 * day;

// Limits read the system's time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Somebody sets the machine's clock. */
function setClock({ clock }: TestApp, milliseconds: number): void {
  clock.set(milliseconds);
  vi.setSystemTime(Date.now() + milliseconds);
}

test('a session that began while the clock was ahead lasts no longer than any', async () => {
  await using testApp = await makeTestApp();
  setClock(testApp, years);
  const browser = await signedInBrowser(testApp, email);
  setClock(testApp, -years);

  expect((await browser.get('/api/auth/sessions')).status).toBe(200);
  const now = testApp.clock.now();
  expect(await testApp.deps.db.select().from(sessions)).toMatchObject([
    { createdAt: now, signedInAt: now, lastSeenAt: now, expiresAt: now + 30 * day },
  ]);
  testApp.clock.move(30 * day);
  expect((await browser.get('/api/auth/sessions')).status).toBe(401);
});

test('nobody looks at it: the sweep shortens it', async () => {
  await using testApp = await makeTestApp();
  setClock(testApp, years);
  await signedInBrowser(testApp, email);
  setClock(testApp, -years);
  await testApp.deps.sessions.deleteExpired();
  testApp.clock.move(30 * day);
  await testApp.deps.sessions.deleteExpired();
  expect(await testApp.deps.db.select().from(sessions)).toEqual([]);
});

test('a lockout is no longer than its rule', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const signIn = (tried: string) =>
    testApp.browser().post('/api/auth/sign-in', { email, password: tried });
  setClock(testApp, years);
  for (let n = 0; n < 10; n += 1) expect((await signIn('wrong horse')).status).toBe(401);
  expect((await signIn(password)).status).toBe(429);

  setClock(testApp, -years);

  expect((await signIn(password)).status).toBe(200);
});

test('a link that was mailed while the clock was ahead is dead; one second backwards kills none', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  setClock(testApp, years);
  await browser.post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  const token = tokenMailedTo(testApp, email);

  setClock(testApp, -years);
  expect((await browser.post('/api/auth/confirm', { token })).status).toBe(410);

  setClock(testApp, years - 1_000);
  expect((await browser.post('/api/auth/confirm', { token })).status).toBe(200);
  expect(await testApp.deps.db.select().from(emailTokens)).toHaveLength(1);
});

test('a mail that waits for a time in the future goes out', async () => {
  await using testApp = await makeTestApp();
  testApp.mail.answer = () => ({ outcome: 'failed', reason: 'no connection' });
  setClock(testApp, years);
  await testApp.browser().post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  testApp.mail.answer = () => ({ outcome: 'sent' });
  setClock(testApp, -years);

  await testApp.deps.outbox.drain();

  expect(await testApp.deps.db.select().from(outbox)).toMatchObject([{ state: 'sent' }]);
});

test.each([-1_000, -years, years])(
  'a message is genuine when the clock changes by %i ms while it is written',
  async (change) => {
    await using testApp = await makeTestApp();
    const browser = testApp.browser();
    const { stamp } = (await (await browser.get('/api/forms/stamp')).json()) as { stamp: string };
    testApp.clock.move(2_500);
    setClock(testApp, change);

    const message = { name: 'Vera', email: 'vera@example.com', message: 'Hello there' };
    expect((await browser.post('/api/contact', { ...message, stamp })).status).toBe(201);

    expect(await testApp.deps.db.select().from(contactSubmissions)).toMatchObject([
      { quarantinedFor: null },
    ]);
  },
);

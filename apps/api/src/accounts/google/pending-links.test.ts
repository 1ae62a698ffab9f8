import { identities, pendingIdentityLinks } from '@app/db/schema/accounts';
import { expect, test } from 'vitest';
import { ann, signInWithGoogle, startWithGoogle } from '../../testing/google.ts';
import {
  isSignedIn,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { deleteUnfinished } from './cleanup.ts';
import { linkLifetime } from './pending-links.ts';

const { email, sub } = ann;
const password = 'correct horse';

/** A browser that has come back from Google with the email of Ann's account. */
async function startLinking() {
  const { testApp, provider } = await startWithGoogle();
  await signedInBrowser(testApp, email);
  const browser = testApp.browser();
  await signInWithGoogle(browser, provider);
  return { testApp, provider, browser };
}

const signIn = async (browser: TestBrowser, fields: object = {}) =>
  (await browser.post('/api/auth/sign-in', { email, password, ...fields })).status;

const linked = async ({ deps }: TestApp) =>
  (await deps.db.select({ subject: identities.subject }).from(identities)).map(
    ({ subject }) => subject,
  );

test('links the identity after a sign-in with the password', async () => {
  const { testApp, provider, browser } = await startLinking();

  const response = await browser.post('/api/auth/sign-in', { email, password });

  expect(await response.json()).toEqual({
    user: expect.objectContaining({ email }),
    linked: 'google',
  });
  expect(await isSignedIn(browser)).toBe(true);
  expect(await linked(testApp)).toEqual([sub]);
  expect(browser.cookies.has('google-link')).toBe(false);
  expect(await testApp.deps.db.select().from(pendingIdentityLinks)).toEqual([]);
  const other = testApp.browser();
  expect(await signInWithGoogle(other, provider)).toBe('/blog');
  expect(await (await other.get('/api/auth/session')).json()).toMatchObject({ user: { email } });
  expect(await signIn(testApp.browser())).toBe(200);
});

test('notifies the owner once', async () => {
  const { testApp, browser } = await startLinking();
  const token = browser.cookies.get('google-link') ?? '';
  await signIn(browser, { password: 'wrong horse' });
  await signIn(testApp.browser());
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.filter(({ kind }) => kind === 'google-linked')).toEqual([]);

  await signIn(browser);
  browser.cookies.set('google-link', token);
  await signIn(browser);
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.filter(({ kind }) => kind === 'google-linked')).toMatchObject([
    { to: email },
  ]);
});

test('links after a form post without JavaScript', async () => {
  const { testApp, browser } = await startLinking();
  const response = await browser.submit('/api/auth/sign-in', { email, password });
  expect(response.headers.get('Location')).toBe('/profile#google-linked');
  expect(await isSignedIn(browser)).toBe(true);
  expect(await linked(testApp)).toEqual([sub]);
});

test('a wrong password does not link, but a later right one does', async () => {
  const { testApp, browser } = await startLinking();
  expect(await signIn(browser, { password: 'wrong horse' })).toBe(401);
  expect(await linked(testApp)).toEqual([]);
  expect(await signIn(browser)).toBe(200);
  expect(await linked(testApp)).toEqual([sub]);
});

test('does not link to another account', async () => {
  const { testApp, browser } = await startLinking();
  await signedInBrowser(testApp, 'other@example.com');
  const response = await browser.post('/api/auth/sign-in', {
    email: 'other@example.com',
    password,
  });
  expect(await response.json()).toEqual({
    user: expect.objectContaining({ email: 'other@example.com' }),
  });
  expect(await linked(testApp)).toEqual([]);
});

test('does not link in another browser', async () => {
  const { testApp } = await startLinking();
  expect(await signIn(testApp.browser())).toBe(200);
  expect(await linked(testApp)).toEqual([]);
});

test.each(['forged', ''])('rejects the unknown token %j', async (token) => {
  const { testApp } = await startLinking();
  const browser = testApp.browser();
  browser.cookies.set('google-link', token);
  expect(await signIn(browser)).toBe(200);
  expect(await linked(testApp)).toEqual([]);
});

test('a pending link expires after ten minutes', async () => {
  const { testApp, browser } = await startLinking();
  testApp.clock.move(linkLifetime);
  expect(await signIn(browser)).toBe(200);
  expect(await linked(testApp)).toEqual([]);
});

test('deletes expired pending links', async () => {
  const { testApp } = await startLinking();
  const { deps, clock } = testApp;
  clock.move(linkLifetime - 1);
  await deleteUnfinished(deps);
  expect(await deps.db.select().from(pendingIdentityLinks)).toHaveLength(1);
  clock.move(1);
  await deleteUnfinished(deps);
  expect(await deps.db.select().from(pendingIdentityLinks)).toEqual([]);
});

test('of concurrent sign-ins, one links', async () => {
  const { testApp, browser } = await startLinking();
  const token = browser.cookies.get('google-link') ?? '';
  const statuses = await Promise.all(
    Array.from({ length: 5 }, () => {
      const other = testApp.browser();
      other.cookies.set('google-link', token);
      return signIn(other);
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await linked(testApp)).toEqual([sub]);
});

test('stores only the hash of the token', async () => {
  const { testApp, browser } = await startLinking();
  const token = browser.cookies.get('google-link') ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  const [row] = await testApp.deps.db.select().from(pendingIdentityLinks);
  expect(JSON.stringify(row)).not.toContain(token);
});

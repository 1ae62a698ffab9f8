import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountMessages } from '@app/contract/accounts/messages';
import { day, minute, second } from '@app/contract/durations';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  tokenEmailedTo,
} from '../../testing/test-app.ts';

const email = 'ann@example.com';
const password = 'correct horse';
const wrong = 'wrong horse';

const signIn = async (browser: TestBrowser, typed: string, address = email): Promise<number> =>
  (await browser.post('/api/auth/sign-in', { email: address, password: typed })).status;

/** Locks an account by guessing from ten IP addresses. */
async function lock(testApp: TestApp, address = email): Promise<void> {
  for (let guess = 1; guess <= 10; guess += 1) {
    expect(await signIn(testApp.browser(), wrong, address)).toBe(401);
  }
}

test.each([email, 'nobody@example.com'])(
  'locks %s for 15 minutes after ten wrong passwords',
  async (address) => {
    await using testApp = await makeTestApp();
    await signedInBrowser(testApp, email);
    await lock(testApp, address);
    testApp.clock.move(5 * minute);

    const refused = await testApp
      .browser()
      .post('/api/auth/sign-in', { email: address.toUpperCase(), password });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('600');
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await refused.json()).toMatchObject({
      code: 'too_many_requests',
      detail: accountMessages.limits.signIn(600),
    });

    testApp.clock.move(10 * minute);
    expect(await signIn(testApp.browser(), password, address)).toBe(address === email ? 200 : 401);
  },
);

test('compares only ten of 50 concurrent guesses', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const verify = vi.spyOn(testApp.deps.passwords, 'verify');

  const statuses = await Promise.all(
    Array.from({ length: 50 }, () => signIn(testApp.browser(), wrong)),
  );

  expect(statuses.toSorted()).toEqual([
    ...Array<number>(10).fill(401),
    ...Array<number>(40).fill(429),
  ]);
  expect(verify).toHaveBeenCalledTimes(10);
});

test('the right password resets the count', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  for (let round = 0; round < 3; round += 1) {
    for (let guess = 1; guess <= 9; guess += 1) await signIn(testApp.browser(), wrong);
    expect(await signIn(testApp.browser(), password)).toBe(200);
  }
});

test('a locked account does not affect others', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, 'bob@example.com');
  await lock(testApp);
  expect(await signIn(testApp.browser(), password, 'bob@example.com')).toBe(200);
});

test('a restart does not unlock an account', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  {
    await using testApp = await makeTestApp({ dataDir });
    await signedInBrowser(testApp, email);
    await lock(testApp);
  }
  await using testApp = await makeTestApp({ dataDir });
  expect(await signIn(testApp.browser(), password)).toBe(429);
});

test('the owner can sign in to a locked account from a known browser', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  await browser.post('/api/auth/sign-out', {});
  await lock(testApp);

  expect(await signIn(testApp.browser(), password)).toBe(429);
  expect(await signIn(browser, password)).toBe(200);
  expect(await signIn(testApp.browser(), password)).toBe(429);
});

test('a browser known from before a password change does not unlock an account', async () => {
  await using testApp = await makeTestApp();
  const owner = await signedInBrowser(testApp, email);
  const thief = testApp.browser();
  expect(await signIn(thief, password)).toBe(200);
  const changed = 'battery staple';
  await owner.send('PUT', '/api/auth/password', { password: changed });
  await owner.post('/api/auth/sign-out', {});
  await lock(testApp);

  expect(await signIn(thief, changed)).toBe(429);
  expect(await signIn(owner, changed)).toBe(200);
});

test('a known browser has its own limit', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp, email);
  await browser.post('/api/auth/sign-out', {});
  for (let guess = 1; guess <= 10; guess += 1) expect(await signIn(browser, wrong)).toBe(401);

  expect(await signIn(browser, password)).toBe(429);
  expect(await signIn(testApp.browser(), password)).toBe(200);
  testApp.clock.move(15 * minute);
  expect(await signIn(browser, password)).toBe(200);
});

test.each([
  ['forged', () => `${'x'.repeat(43)}.${Date.now()}.${'y'.repeat(43)}`],
  ['another account’s', (_, bobs) => bobs],
  ['too old', (anns) => anns],
] as [string, (anns: string, bobs: string) => string][])(
  'a device cookie that is %s does not unlock an account',
  async (kind, choose) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    const bob = await signedInBrowser(testApp, 'bob@example.com');
    const [anns = '', bobs = ''] = [ann, bob].map(({ cookies }) => cookies.get('device'));
    if (kind === 'too old') testApp.clock.move(366 * day);
    await lock(testApp);

    const browser = testApp.browser();
    browser.cookies.set('device', choose(anns, bobs));
    expect(await signIn(browser, password)).toBe(429);
  },
);

test('a new password unlocks an account', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  await lock(testApp);
  await testApp.browser().post('/api/auth/forgot-password', { email });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  await testApp.browser().post('/api/auth/reset-password', { token, password: 'staple battery' });

  expect(await signIn(testApp.browser(), 'staple battery')).toBe(200);
});

test('limits a client to 100 sign-ins in 15 minutes', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  testApp.deps.passwords.verify = async () => null;
  for (let guess = 1; guess <= 100; guess += 1) {
    expect(await signIn(browser, wrong, `person-${guess}@example.com`)).toBe(401);
  }
  expect(await signIn(browser, wrong, 'one-more@example.com')).toBe(429);
  expect(await signIn(testApp.browser(), wrong, 'one-more@example.com')).toBe(401);
  testApp.clock.move(15 * minute);
  expect(await signIn(browser, wrong, 'one-more@example.com')).toBe(401);
});

test('limits a client to 20 sign-ups per hour', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  testApp.deps.passwords.hash = async () => 'no hash';
  const signUp = (n: number) =>
    browser.post('/api/auth/sign-up', { email: `person-${n}@example.com`, password });
  for (let n = 1; n <= 20; n += 1) expect((await signUp(n)).status).toBe(202);

  const refused = await signUp(21);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ detail: accountMessages.limits.accounts(3_600) });
  testApp.clock.move(60 * minute);
  expect((await signUp(21)).status).toBe(202);
});

test.each(['resend-confirmation', 'forgot-password'])(
  '%s sends one email per minute and five per hour to any address',
  async (endpoint) => {
    await using testApp = await makeTestApp();
    await signedInBrowser(testApp, email);
    await testApp.browser().post('/api/auth/sign-up', { email: 'new@example.com', password });
    const ask = async (address: string) => {
      const response = await testApp.browser().post(`/api/auth/${endpoint}`, { email: address });
      const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>;
      return { status: response.status, wait: response.headers.get('Retry-After'), body };
    };
    const askForAll = async () => {
      const answers: Awaited<ReturnType<typeof ask>>[] = [];
      for (const address of [email, 'new@example.com', 'nobody@example.com']) {
        answers.push(await ask(address));
      }
      const [first] = answers;
      expect(answers).toEqual([first, first, first]);
      return first;
    };

    for (let n = 1; n <= 5; n += 1) {
      expect(await askForAll()).toMatchObject({ status: 202 });
      testApp.clock.move(59 * second);
      expect(await askForAll()).toMatchObject({
        status: 429,
        wait: '1',
        body: { detail: accountMessages.limits.emails(1) },
      });
      testApp.clock.move(second);
    }
    const rest = {
      status: 429,
      wait: '3300',
      body: { detail: accountMessages.limits.emails(3_300) },
    };
    expect(await askForAll()).toMatchObject(rest);
    expect(await askForAll()).toMatchObject(rest);
    testApp.clock.move(55 * minute);
    expect(await askForAll()).toMatchObject({ status: 202 });
  },
);

test.each(['resend-confirmation', 'forgot-password'])(
  '%s emails at most 20 addresses per hour and client',
  async (endpoint) => {
    await using testApp = await makeTestApp();
    const browser = testApp.browser();
    const ask = async (n: number) =>
      (await browser.post(`/api/auth/${endpoint}`, { email: `person-${n}@example.com` })).status;
    for (let n = 1; n <= 20; n += 1) expect(await ask(n)).toBe(202);
    expect(await ask(21)).toBe(429);
  },
);

test.each([
  ['confirm', {}],
  ['reset-password', { password }],
])('limits a client to 100 tokens for %s', async (endpoint, fields) => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  const guess = async (n: number) =>
    (await browser.post(`/api/auth/${endpoint}`, { token: `guess-${n}`, ...fields })).status;
  for (let n = 1; n <= 100; n += 1) expect(await guess(n)).toBe(410);
  expect(await guess(101)).toBe(429);
});

const entered = new URLSearchParams({ entered: email });

test.each([
  ['sign-in', { email, password: wrong }, `/auth/again?${entered}#too-many`],
  ['resend-confirmation', { email }, `/auth/again?${entered}#too-many`],
  ['forgot-password', { email }, `/auth/forgot/again?${entered}#too-many`],
])('redirects a %s form beyond the limit to a notice', async (endpoint, fields, page) => {
  await using testApp = await makeTestApp();
  for (let n = 0; n < 11; n += 1) await testApp.browser().submit(`/api/auth/${endpoint}`, fields);
  const response = await testApp.browser().submit(`/api/auth/${endpoint}`, fields);
  expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
});

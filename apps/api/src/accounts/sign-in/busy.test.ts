import { accountMessages } from '@app/contract/accounts/messages';
import { expect, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, tokenEmailedTo } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';

const email = 'ann@example.com';
const password = 'correct horse';

test('refuses to hash while 50 requests do, without counting or changing anything', async () => {
  await using testApp = await makeTestApp();
  const { passwords, outbox, db } = testApp.deps;
  const ann = await signedInBrowser(testApp, email);
  await ann.post('/api/auth/forgot-password', { email });
  await outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  const { verify } = passwords;
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  passwords.verify = async (...compared) => {
    waiting += 1;
    if (waiting <= 50) await gate.promise;
    return verify(...compared);
  };
  const crowd = Array.from({ length: 50 }, (_, n) =>
    testApp.browser().post('/api/auth/sign-in', { email: `person-${n}@example.com`, password }),
  );
  await until(() => waiting === 50);
  const before = allRows(db);

  for (const [method, path, body] of [
    ['POST', 'sign-in', { email, password }],
    ['POST', 'sign-in-again', { password }],
    ['POST', 'sign-up', { email: 'new@example.com', password }],
    ['POST', 'reset-password', { token, password: 'battery staple' }],
    ['PUT', 'password', { password: 'battery staple' }],
  ] as const) {
    const response = await ann.send(method, `/api/auth/${path}`, body);
    expect([path, response.status, response.headers.get('Retry-After')]).toEqual([path, 503, '2']);
    expect(await response.json()).toMatchObject({
      code: 'busy',
      detail: accountMessages.limits.busy,
    });
  }
  const form = await testApp.browser().submit('/api/auth/sign-in', { email, password });
  expect([form.status, form.headers.get('Location')]).toEqual([
    303,
    `/auth/again?${new URLSearchParams({ entered: email })}#failed`,
  ]);
  expect(allRows(db)).toEqual(before);

  gate.resolve();
  for (const response of await Promise.all(crowd)) expect(response.status).toBe(401);
  expect((await ann.post('/api/auth/sign-in', { email, password })).status).toBe(200);
});

test.each(['account', 'client'])('admits ten concurrent requests per %s', async (kind) => {
  await using testApp = await makeTestApp();
  const { passwords, sessions } = testApp.deps;
  const ann = await signedInBrowser(testApp, email);
  const { userId = '' } = (await sessions.find(ann.cookies.get('session') ?? '')) ?? {};
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const { verify } = passwords;
  passwords.verify = async (...compared) => {
    waiting += 1;
    if (waiting <= 10) await gate.promise;
    return verify(...compared);
  };
  const attempt = async (): Promise<number> => {
    if (kind === 'client') {
      return (await ann.post('/api/auth/sign-in', { email, password: 'wrong horse' })).status;
    }
    const started = await sessions.start({ userId }, { device: '' });
    const browser = testApp.browser();
    browser.cookies.set('session', started?.sessionId ?? '');
    return (await browser.post('/api/auth/sign-in-again', { password: 'wrong horse' })).status;
  };
  const crowd = Array.from({ length: 10 }, attempt);
  await until(() => waiting === 10);

  expect(await attempt()).toBe(503);
  const other = testApp.browser();
  const signIn = await other.post('/api/auth/sign-in', { email: 'bob@example.com', password });
  expect(signIn.status).toBe(401);

  gate.resolve();
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([401]));
  expect(await attempt()).not.toBe(503);
});

import type { DeviceList } from '@app/contract/accounts/settings';
import { day } from '@app/contract/durations';
import { expect, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import {
  isSignedIn,
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

const email = 'ann@example.com';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function signIn(testApp: TestApp, userAgent = '', address = email): Promise<TestBrowser> {
  const browser = testApp.browser();
  const response = await browser.request('POST', '/api/auth/sign-in', {
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ email: address, password: 'correct horse' }),
  });
  expect(response.status).toBe(200);
  return browser;
}

const devicesOf = async (browser: TestBrowser) =>
  ((await (await browser.get('/api/auth/sessions')).json()) as DeviceList).devices;
const idOf = async (browser: TestBrowser): Promise<string> =>
  (await devicesOf(browser)).find(({ isCurrent }) => isCurrent)?.id ?? '';

test('lists devices, latest first, with the current one marked', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  testApp.clock.move(day);
  await signIn(testApp, firefox);
  await signedInBrowser(testApp, 'bob@example.com');

  const signedInAt = ['2026-03-02T12:00:00.000Z', '2026-03-01T12:00:00.000Z'] as const;
  expect(await devicesOf(ann)).toEqual([
    {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'Firefox on Windows',
      signedInAt: signedInAt[0],
      lastSeenAt: signedInAt[0],
      isCurrent: false,
    },
    {
      id: expect.any(String),
      name: '',
      signedInAt: signedInAt[1],
      lastSeenAt: signedInAt[0],
      isCurrent: true,
    },
  ]);
});

test('does not accept an id from the list as a session token', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const thief = testApp.browser();
  thief.cookies.set('session', await idOf(ann));
  expect(await isSignedIn(thief)).toBe(false);
  const body = await (await ann.get('/api/auth/sessions')).text();
  expect(body).not.toContain(ann.cookies.get('session'));
});

test('ends one session and keeps the others', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const [laptop, phone] = [await signIn(testApp), await signIn(testApp)];

  const response = await ann.request('DELETE', `/api/auth/sessions/${await idOf(laptop)}`);

  expect(response.status).toBe(204);
  expect(await isSignedIn(laptop)).toBe(false);
  expect([await isSignedIn(phone), await isSignedIn(ann)]).toEqual([true, true]);
});

test('ending the current session clears its cookies', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  expect((await ann.request('DELETE', `/api/auth/sessions/${await idOf(ann)}`)).status).toBe(204);
  // The device cookie remains, as after a sign-out.
  expect([...ann.cookies.keys()]).toEqual(['device']);
  expect(await isSignedIn(ann)).toBe(false);
});

test('replies the same 404 to another user’s session and an unknown one', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const answer = async (id: string) => {
    const response = await ann.request('DELETE', `/api/auth/sessions/${id}`);
    const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>;
    return problem;
  };
  const ofBob = await idOf(bob);
  const rows = allRows(testApp.deps.db);

  const refused = await answer(ofBob);

  expect(refused).toMatchObject({ status: 404, code: 'not_found' });
  expect(await answer('00000000-0000-4000-8000-000000000000')).toEqual(refused);
  expect(allRows(testApp.deps.db)).toEqual(rows);
  expect(await isSignedIn(bob)).toBe(true);
});

test('ends all other sessions of the user', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const others = [await signIn(testApp), await signIn(testApp)];

  expect((await ann.request('DELETE', '/api/auth/sessions')).status).toBe(204);

  expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
  expect([await isSignedIn(ann), await isSignedIn(bob)]).toEqual([true, true]);
});

test('requires a signed-in user', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().get('/api/auth/sessions');
  expect([response.status, await response.json()]).toEqual([
    401,
    expect.objectContaining({ code: 'not_signed_in' }),
  ]);
});

test('redirects forms without JavaScript to the page', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const [laptop, phone] = [await signIn(testApp), await signIn(testApp)];
  const pageAfter = async (path: string) => (await ann.submit(path, {})).headers.get('Location');

  const path = `/api/auth/sessions/${await idOf(laptop)}/end`;
  expect(await pageAfter(path)).toBe('/profile#device-ended');
  expect(await isSignedIn(laptop)).toBe(false);
  expect(await pageAfter(path)).toBe('/profile#failed');
  expect(await pageAfter('/api/auth/sessions/end-others')).toBe('/profile#devices-ended');
  expect([await isSignedIn(phone), await isSignedIn(ann)]).toEqual([false, true]);
});

import { describe, expect, it, test } from 'vitest';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

const email = 'ann@example.com';
const password = 'correct horse';

const leadsTo = (response: Response) => [response.status, response.headers.get('Location')];

/** Ann's browser, after another device ended its session. */
async function browserWithEndedSession(testApp: TestApp): Promise<TestBrowser> {
  const ann = await signedInBrowser(testApp, email);
  const other = testApp.browser();
  await other.post('/api/auth/sign-in', { email, password });
  expect((await other.send('DELETE', '/api/auth/sessions', undefined)).status).toBe(204);
  return ann;
}

describe('a browser whose session has ended', () => {
  it('is redirected from /profile to the sign-in page, with the way back', async () => {
    await using testApp = await makeTestApp();
    const ann = await browserWithEndedSession(testApp);
    expect(ann.cookies.has('signed_in')).toBe(true);

    expect(leadsTo(await ann.get('/profile'))).toEqual([303, '/auth?next=%2Fprofile#signed-out']);

    // The cookie would make the sign-in page treat her as signed in.
    expect(ann.cookies.has('signed_in')).toBe(false);
    expect(leadsTo(await ann.get('/profile'))).toEqual([303, '/auth?next=%2Fprofile']);
  });

  it.each([
    ['/api/profile', { username: 'ann' }],
    ['/api/profile/avatar/delete', {}],
    ['/api/auth/password', { password }],
    ['/api/auth/email', { email: 'new@example.com' }],
    ['/api/auth/sign-in-again', { password }],
    ['/api/auth/sessions/end-others', {}],
    ['/api/account/delete', { posts: 'keep' }],
  ])('is redirected to the sign-in page by the form of %s', async (path, fields) => {
    await using testApp = await makeTestApp();
    const ann = await browserWithEndedSession(testApp);
    expect(leadsTo(await ann.submit(path, fields))).toEqual([
      303,
      '/auth?next=%2Fprofile#signed-out',
    ]);
  });
});

describe('a sign-in without JavaScript', () => {
  const submitFrom = async (testApp: TestApp, referer: string | null, typed = password) => {
    await signedInBrowser(testApp, email);
    return leadsTo(
      await testApp.browser().request('POST', '/api/auth/sign-in', {
        body: new URLSearchParams({ email, password: typed }),
        ...(referer !== null && {
          headers: { Referer: testApp.deps.settings.publicUrl + referer },
        }),
      }),
    );
  };

  it.each([
    ['/auth?next=%2Fprofile', '/profile'],
    ['/auth?next=%2Fprofile%23settings', '/profile#settings'],
    ['/auth/again?entered=a%40example.com&next=%2Fprofile', '/profile'],
    ['/auth', '/blog'],
    ['/auth?next=%2F%2Fevil.example', '/blog'],
    ['/auth?next=https%3A%2F%2Fevil.example', '/blog'],
    [null, '/blog'],
  ])('from %s leads to %s', async (referer, page) => {
    await using testApp = await makeTestApp();
    expect(await submitFrom(testApp, referer)).toEqual([303, page]);
  });

  it('keeps the return path after a wrong password', async () => {
    await using testApp = await makeTestApp();
    expect(await submitFrom(testApp, '/auth?next=%2Fprofile', 'wrong horse')).toEqual([
      303,
      `/auth/again?entered=${encodeURIComponent(email)}&next=%2Fprofile#invalid-credentials`,
    ]);
  });
});

test('ignores the Referer of another site', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, email);
  const response = await testApp.browser().request('POST', '/api/auth/sign-in', {
    body: new URLSearchParams({ email, password }),
    headers: { Referer: 'https://evil.example/auth?next=%2Fprofile' },
  });
  expect(leadsTo(response)).toEqual([303, '/blog']);
});

import { accountMessages } from '@app/contract/accounts/messages';
import { oauthAttempts } from '@app/db/schema/accounts';
import { afterEach, expect, test, vi } from 'vitest';
import {
  errorPage,
  goToGoogle,
  leadsTo,
  signInWithGoogle,
  startWithGoogle,
} from '../../testing/google.ts';
import { allRows } from '../../testing/tables.ts';
import { isSignedIn, makeTestApp, publicUrl } from '../../testing/test-app.ts';
import { deleteUnfinished } from './cleanup.ts';
import { attemptLifetime } from './oauth-attempts.ts';

afterEach(() => {
  vi.useRealTimers();
});

const html = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

test.each([
  '/api/auth/google',
  '/api/auth/google?again',
  '/api/auth/google/callback?code=a&state=b',
])('without settings, %s says that Google is not set up', async (path) => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  const response = await browser.get(path);
  expect(response.status).toBe(501);
  expect(await response.json()).toMatchObject({
    code: 'not_configured',
    detail: accountMessages.google.notSetUp,
  });
  expect(leadsTo(await browser.request('GET', path, html))).toBe(errorPage('google_not_set_up'));
});

test('sends an authorization request with OpenID Connect and PKCE parameters', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  expect(await signInWithGoogle(browser, provider)).toBe('/blog');

  const [attempt] = provider.authorizationRequests;
  expect(Object.fromEntries(attempt ?? [])).toEqual({
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: `${publicUrl}/api/auth/google/callback`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  expect(provider.exchanges).toEqual([
    {
      grant_type: 'authorization_code',
      code: expect.any(String),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${publicUrl}/api/auth/google/callback`,
    },
  ]);
});

test('rejects another code verifier', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);
  await testApp.deps.db.update(oauthAttempts).set({ codeVerifier: 'x'.repeat(43) });
  expect(leadsTo(await browser.get(path))).toBe(errorPage('google_failed'));
  expect(await isSignedIn(browser)).toBe(false);
});

test('ignores the Host header for the redirect URI', async () => {
  const { testApp, provider } = await startWithGoogle();
  const headers = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    Forwarded: 'host=evil.example',
    'X-Forwarded-Proto': 'https',
  };
  const response = await testApp.browser().request('GET', '/api/auth/google', { headers });
  await provider.authorize(response.headers.get('Location') ?? '');
  expect(provider.authorizationRequests[0]?.get('redirect_uri')).toBe(
    `${publicUrl}/api/auth/google/callback`,
  );
});

test.each(['next', 'redirect', 'redirect_uri', 'return_to', 'url'])(
  'ignores the parameter %s for the final redirect',
  async (name) => {
    const { testApp, provider } = await startWithGoogle();
    for (const target of ['//evil.example', '/\\evil.example', 'https://good@evil.example']) {
      const query = `${name}=${encodeURIComponent(target)}`;
      const browser = testApp.browser();
      const path = await goToGoogle(browser, provider, `/api/auth/google?${query}`);
      expect(leadsTo(await browser.get(`${path}&${query}`))).toBe('/blog');
    }
  },
);

test('sets host-only, HTTP-only cookies', async () => {
  const { testApp, provider } = await startWithGoogle({ publicUrl: 'https://site.example' });
  const browser = testApp.browser();
  const began = await browser.get('/api/auth/google');
  expect(began.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-google-state=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
  const { pathname, search } = await provider.authorize(began.headers.get('Location') ?? '');
  expect(provider.authorizationRequests[0]?.get('redirect_uri')).toBe(
    'https://site.example/api/auth/google/callback',
  );
  expect(leadsTo(await browser.get(pathname + search))).toBe('/blog');
  expect(browser.cookies.has('__Host-session')).toBe(true);
  expect(browser.cookies.has('__Host-google-state')).toBe(false);
});

test('stores only the hash of the state', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  await goToGoogle(browser, provider);
  const state = browser.cookies.get('google-state') ?? '';
  expect(state).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(allRows(testApp.deps.db))).not.toContain(state);
});

test.each([
  ['absent', (path: string) => path.replace(/&?state=[\w-]+/, '')],
  ['empty', (path: string) => path.replace(/state=[\w-]+/, 'state=')],
  ['wrong', (path: string) => path.replace(/state=[\w-]+/, `state=${'x'.repeat(43)}`)],
  ['given twice', (path: string) => path.replace(/state=/, `state=${'x'.repeat(43)}&state=`)],
])('a callback with a state that is %s fails and keeps the attempt', async (_, change) => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);
  const before = allRows(testApp.deps.db);

  expect(leadsTo(await browser.get(change(path)))).toBe(errorPage('google_expired'));

  expect(await isSignedIn(browser)).toBe(false);
  expect(allRows(testApp.deps.db)).toEqual(before);
  expect(provider.exchanges).toEqual([]);
  expect(leadsTo(await browser.get(path))).toBe('/blog');
});

test('does not sign in another browser with a stolen callback URL', async () => {
  const { testApp, provider } = await startWithGoogle();
  const path = await goToGoogle(testApp.browser(), provider);
  const victim = testApp.browser();
  expect(leadsTo(await victim.get(path))).toBe(errorPage('google_expired'));
  // Nor a browser with an attempt of its own.
  await goToGoogle(victim, provider);
  expect(leadsTo(await victim.get(path))).toBe(errorPage('google_expired'));
  expect(await isSignedIn(victim)).toBe(false);
  expect(provider.exchanges).toEqual([]);
});

test('rejects an unknown state even with a matching cookie', async () => {
  const { testApp } = await startWithGoogle();
  const browser = testApp.browser();
  browser.cookies.set('google-state', 'forged');
  const response = await browser.get('/api/auth/google/callback?code=code&state=forged');
  expect(leadsTo(response)).toBe(errorPage('google_expired'));
});

test('an attempt can be used once, in any browser', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);
  const state = browser.cookies.get('google-state') ?? '';
  expect(leadsTo(await browser.get(path))).toBe('/blog');
  for (const again of [browser, testApp.browser()]) {
    again.cookies.delete('session');
    again.cookies.set('google-state', state);
    expect(leadsTo(await again.get(path))).toBe(errorPage('google_expired'));
    expect(await isSignedIn(again)).toBe(false);
  }
  expect(provider.exchanges).toHaveLength(1);
});

test('of fifty concurrent callbacks of one attempt, one signs in', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);
  const state = browser.cookies.get('google-state') ?? '';
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => {
      const other = testApp.browser();
      other.cookies.set('google-state', state);
      return other.get(path);
    }),
  );
  expect(answers.map(leadsTo).filter((page) => page === '/blog')).toHaveLength(1);
  expect(provider.exchanges).toHaveLength(1);
});

test('an attempt expires after ten minutes', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);
  testApp.clock.move(attemptLifetime);
  expect(leadsTo(await browser.get(path))).toBe(errorPage('google_expired'));
  expect(provider.exchanges).toEqual([]);
});

test('deletes abandoned attempts', async () => {
  const { testApp, provider } = await startWithGoogle();
  const { deps, clock } = testApp;
  await goToGoogle(testApp.browser(), provider);
  clock.move(attemptLifetime - 1);
  await deleteUnfinished(deps);
  expect(await deps.db.select().from(oauthAttempts)).toHaveLength(1);
  clock.move(1);
  await deleteUnfinished(deps);
  expect(await deps.db.select().from(oauthAttempts)).toEqual([]);
});

test.each([
  ['access_denied', 'google_canceled'],
  ['server_error', 'google_failed'],
  ['<script>', 'google_failed'],
] as const)('explains the error %s in our own words', async (error, code) => {
  const { testApp, provider } = await startWithGoogle();
  provider.error = error;
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);
  expect(leadsTo(await browser.get(path))).toBe(errorPage(code));
  expect(await testApp.deps.db.select().from(oauthAttempts)).toEqual([]);
  expect(browser.cookies.has('google-state')).toBe(false);
});

test('limits attempts to thirty per address in ten minutes', async () => {
  const { testApp } = await startWithGoogle();
  const browser = testApp.browser();
  for (let attempt = 0; attempt < 30; attempt += 1) {
    expect((await browser.get('/api/auth/google')).status).toBe(302);
  }

  const refused = await browser.get('/api/auth/google');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('600');
  expect(await refused.json()).toMatchObject({ detail: accountMessages.limits.accounts(600) });
  expect(leadsTo(await browser.request('GET', '/api/auth/google', html))).toBe(
    errorPage('too_many_requests'),
  );
  expect(await testApp.deps.db.select().from(oauthAttempts)).toHaveLength(30);
  expect((await testApp.browser().get('/api/auth/google')).status).toBe(302);

  testApp.clock.move(600_000);
  expect((await browser.get('/api/auth/google')).status).toBe(302);
});

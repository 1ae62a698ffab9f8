import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import { errorPage, goToGoogle, leadsTo, startWithGoogle } from '../../testing/google.ts';
import { OidcProvider } from '../../testing/oidc-provider.ts';
import { MovingClock, makeTestApp } from '../../testing/test-app.ts';
import { newAttempt } from './oauth-attempts.ts';
import { createGoogle } from './provider.ts';
import { googleIssuer } from './settings.ts';

const client = { clientId: 'site.apps.example', clientSecret: 'provider-secret' };
const back = 'http://localhost:4321/api/auth/google/callback';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A valid discovery document with changes. */
async function serveDiscovery(change: object = {}, other?: RequestListener): Promise<string> {
  const issuer: string = await serve((request, response) => {
    if (request.url !== '/.well-known/openid-configuration') return other?.(request, response);
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...change,
    };
    response.end(JSON.stringify(document));
  });
  return issuer;
}

const googleAt = (issuer: string, timeout?: number) =>
  createGoogle({ ...client, issuer }, back, new MovingClock(), timeout);

test('does not fetch Google’s discovery document', async () => {
  const google = googleAt(googleIssuer);
  const url = new URL(await google.authorizationUrl(newAttempt(), false));
  expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
  expect(url.searchParams.get('prompt')).toBeNull();
});

test('asks Google for an account chooser, because it cannot require a sign-in', async () => {
  const url = new URL(await googleAt(googleIssuer).authorizationUrl(newAttempt(), true));
  expect(url.searchParams.get('prompt')).toBe('select_account');
});

test.each([
  ['of another issuer', { issuer: 'https://accounts.google.com' }],
  ['without an issuer', { issuer: undefined }],
  ['without an endpoint', { token_endpoint: undefined }],
  ['with an invalid URL', { authorization_endpoint: 'javascript:alert(1)' }],
  ['with an object instead of a URL', { jwks_uri: { $ne: '' } }],
])('rejects a discovery document %s', async (_, change) => {
  const google = googleAt(await serveDiscovery(change));
  await expect(google.authorizationUrl(newAttempt(), false)).rejects.toThrow();
});

test.each<[string, RequestListener]>([
  ['with 500', (_, response) => response.writeHead(500).end('{}')],
  ['with nonsense', (_, response) => response.end('<!doctype html>')],
  ['with nothing', (_, response) => response.end()],
  [
    'with a redirect',
    (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
  ],
  ['by hanging up', (request) => request.socket.destroy()],
])('reports a provider that answers %s, and stores nothing', async (_, listener) => {
  const issuer = await serve(listener);
  await using testApp = await makeTestApp({ settings: { google: { ...client, issuer } } });
  const browser = testApp.browser();
  expect(leadsTo(await browser.get('/api/auth/google'))).toBe(errorPage('google_failed'));
  expect(browser.cookies.size).toBe(0);
  expect(testApp.deps.db.$client.prepare('SELECT * FROM oauth_attempts').all()).toEqual([]);
});

test('retries discovery after a failure, then caches it', async () => {
  let isUp = false;
  let asked = 0;
  const issuer: string = await serve((_, response) => {
    asked += 1;
    const endpoints = { authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer };
    response.writeHead(isUp ? 200 : 503).end(JSON.stringify({ issuer, ...endpoints }));
  });
  const google = googleAt(issuer);
  await expect(google.authorizationUrl(newAttempt(), false)).rejects.toThrow('503');
  isUp = true;
  await google.authorizationUrl(newAttempt(), false);
  await google.authorizationUrl(newAttempt(), false);
  expect(asked).toBe(2);
});

test('accepts an issuer with a trailing slash', async () => {
  let path: string | undefined;
  const origin = await serve((request, response) => {
    path = request.url;
    response.end('{}');
  });
  await expect(
    googleAt(`${origin}/tenant/`).authorizationUrl(newAttempt(), false),
  ).rejects.toThrow();
  expect(path).toBe('/tenant/.well-known/openid-configuration');
});

test('discovery times out', async () => {
  const issuer = await serve(() => undefined);
  await expect(googleAt(issuer, 20).authorizationUrl(newAttempt(), false)).rejects.toThrow(
    'timeout',
  );
});

test('the token request times out', async () => {
  const issuer = await serveDiscovery();
  const answer = { code: 'code', error: undefined };
  await expect(googleAt(issuer, 20).identify(answer, newAttempt(), null)).rejects.toThrow(
    'timeout',
  );
});

test('fetching the provider’s keys times out', async () => {
  await using provider = await OidcProvider.start(Date.now);
  const issuer = await serveDiscovery({}, async (request, response) => {
    // Never answers requests for its keys.
    if (request.url !== '/token') return;
    const { id_token: idToken } = provider.answers[0] ?? {};
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: idToken }));
  });
  const direct = createGoogle(provider.settings, back, systemClock);
  const attempt = newAttempt();
  const returned = await provider.authorize(await direct.authorizationUrl(attempt, false));
  const code = returned.searchParams.get('code') ?? '';
  await direct.identify({ code, error: undefined }, attempt, null);

  const google = googleAt(issuer, 500);
  const answer = { code, error: undefined };
  await expect(google.identify(answer, attempt, null)).rejects.toThrow(/timeout|timed out/);
});

test.each<[string, RequestListener]>([
  ['500', (_, response) => response.writeHead(500).end()],
  ['nonsense', (_, response) => response.end('<!doctype html>')],
  ['a refusal', (_, response) => response.writeHead(400).end('{"error":"invalid_grant"}')],
  ['an invalid refusal', (_, response) => response.writeHead(400).end('null')],
  ['nothing', (_, response) => response.end()],
  ['no id token', (_, response) => response.end('{"access_token":"a","token_type":"Bearer"}')],
])('throws if the token endpoint answers %s', async (_, listener) => {
  const google = googleAt(await serveDiscovery({}, listener));
  await expect(
    google.identify({ code: 'code', error: undefined }, newAttempt(), null),
  ).rejects.toThrow();
});

test('reports a provider that goes down during an attempt', async () => {
  const { testApp, provider } = await startWithGoogle();
  const browser = testApp.browser();
  const path = await goToGoogle(browser, provider);
  await provider.stop();
  expect(leadsTo(await browser.get(path))).toBe(errorPage('google_failed'));
  expect(await (await browser.get('/api/auth/session')).json()).toEqual({ user: null });
});

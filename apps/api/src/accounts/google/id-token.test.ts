import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { decodeJwt, UnsecuredJWT } from 'jose';
import { expect, test, vi } from 'vitest';
import { ann, errorPage, signInWithGoogle, startWithGoogle } from '../../testing/google.ts';
import type { OidcProvider } from '../../testing/oidc-provider.ts';
import { allRows } from '../../testing/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z') / 1_000;

/** Signs in with a manipulated provider. Expects that no session starts and nothing is stored. */
async function expectRefusal(reason: RegExp, prepare: (provider: OidcProvider) => void) {
  const { testApp, provider } = await startWithGoogle();
  const { db, log } = testApp.deps;
  const warn = vi.spyOn(log, 'warn');
  prepare(provider);
  const browser = testApp.browser();
  const before = allRows(db);

  expect(await signInWithGoogle(browser, provider)).toBe(errorPage('google_failed'));

  expect(await (await browser.get('/api/auth/session')).json()).toEqual({ user: null });
  expect(allRows(db)).toEqual({ ...before, rate_limits: expect.any(Array) });
  // A busy machine may log slow requests, too.
  const logged = warn.mock.calls.filter(([, message]) => String(message) !== 'slow request');
  expect(logged).toEqual([
    [{ reasons: expect.any(Array), requestId: expect.any(String) }, 'Google sign-in failed'],
  ]);
  const text = JSON.stringify(logged);
  expect(text).toMatch(reason);
  for (const secret of [ann.email, ann.sub, ann.name, 'eyJ']) expect(text).not.toContain(secret);
}

/** Replaces the id token. */
const expectRefusalOf = (change: (idToken: string) => unknown, reason: RegExp) =>
  expectRefusal(reason, (provider) => {
    provider.alter = (body) => {
      body['id_token'] = change(String(body['id_token']));
    };
  });

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const decode = (part: string | undefined): object =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** The provider's claims, signed by someone else. */
const forge = (header: object, signature: (text: string) => Buffer) => (idToken: string) => {
  const [original, payload] = idToken.split('.');
  const text = `${encode({ ...decode(original), ...header })}.${payload}`;
  return `${text}.${signature(text).toString('base64url')}`;
};

test.each<[string, Record<string, unknown>, RegExp]>([
  ['from another issuer', { iss: 'https://accounts.google.com' }, /JWTClaim.*iss/],
  [
    'from an issuer that begins the same',
    { iss: 'http://localhost.evil.example' },
    /JWTClaim.*iss/,
  ],
  ['for another client', { aud: 'another.apps.example' }, /JWTClaim.*aud/],
  ['without an audience', { aud: [] }, /JWTClaim.*aud/],
  ['for another client as well', { aud: ['site.apps.example', 'another.example'] }, /ValiError/],
  ['requested by another client', { azp: 'another.example' }, /ValiError.*another\.example/],
  ['from another attempt', { nonce: 'another' }, /belongs to another sign-in attempt/],
  ['without an attempt', { nonce: undefined }, /ValiError.*nonce/],
  ['that expired an hour ago', { exp: now - 3_600 }, /JWTExpired/],
  ['that expired longer ago than the clocks may differ', { exp: now - 61 }, /JWTExpired/],
  ['that never expires', { exp: undefined }, /JWTClaim.*exp/],
  ['without a time of issue', { iat: undefined }, /JWTClaim.*iat/],
  ['issued in the future', { iat: now + 3_600 }, /JWTClaim.*iat/],
  ['issued further ahead than the clocks may differ', { iat: now + 61 }, /JWTClaim.*iat/],
  ['issued before the sign-in began', { iat: now - 3_600 }, /JWTExpired.*iat/],
  ['that is not valid yet', { nbf: now + 3_600 }, /JWTClaim.*nbf/],
  ['without a subject', { sub: undefined }, /ValiError.*sub/],
  ['with an empty subject', { sub: '' }, /ValiError.*length/],
  ['with a subject that is too long', { sub: 'x'.repeat(256) }, /ValiError.*length/],
])('rejects an id token %s', async (_, claims, reason) => {
  await expectRefusal(reason, (provider) => {
    provider.person = { ...ann, ...claims };
  });
});

test.each<[string, Record<string, unknown>]>([
  ['that expired less long ago than the clocks may differ', { exp: now - 30 }],
  ['issued less far ahead than the clocks may differ', { iat: now + 30 }],
  ['for us, in a list', { aud: ['site.apps.example'] }],
  ['requested by us', { azp: 'site.apps.example' }],
])('accepts an id token %s', async (_, claims) => {
  const { testApp, provider } = await startWithGoogle();
  provider.person = { ...ann, ...claims };
  expect(await signInWithGoogle(testApp.browser(), provider)).toBe('/blog');
});

test('rejects an unsigned id token', () =>
  expectRefusalOf((idToken) => new UnsecuredJWT(decodeJwt(idToken)).encode(), /JOSEAlgNotAllowed/));

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

test.each<[string, ReturnType<typeof forge>, RegExp]>([
  [
    'signed by another key under the id of the provider’s key',
    forge({}, (text) => sign('sha256', Buffer.from(text), privateKey)),
    /JWSSignatureVerificationFailed/,
  ],
  [
    'signed by a key that the provider does not have',
    forge({ kid: 'another' }, (text) => sign('sha256', Buffer.from(text), privateKey)),
    /JWKSNoMatchingKey/,
  ],
  [
    'that contains its own key',
    forge({ kid: undefined, jwk: privateKey.export({ format: 'jwk' }) }, (text) =>
      sign('sha256', Buffer.from(text), privateKey),
    ),
    /JWSSignatureVerificationFailed/,
  ],
  [
    'signed with the client’s secret',
    forge({ alg: 'HS256' }, (text) =>
      createHmac('sha256', 'provider-secret').update(text).digest(),
    ),
    /JOSEAlgNotAllowed/,
  ],
  ['whose signature is empty', forge({}, () => Buffer.alloc(0)), /JWSSignatureVerificationFailed/],
  [
    'that claims to need no signature',
    forge({ alg: 'none' }, () => Buffer.alloc(0)),
    /JOSEAlgNotAllowed/,
  ],
  [
    'that was changed after it was signed',
    (idToken) => {
      const [header, payload, signature] = idToken.split('.');
      return [header, encode({ ...decode(payload), sub: 'another' }), signature].join('.');
    },
    /JWSSignatureVerificationFailed/,
  ],
])('rejects an id token %s', (_, change, reason) => expectRefusalOf(change, reason));

test.each(['', 'nonsense', 'a.b.c', 7, null, undefined, {}])(
  'rejects %j as an id token',
  (idToken) => expectRefusalOf(() => idToken, /JWSInvalid|JWTInvalid|id_token/),
);

test('rejects an invalid client secret', () =>
  expectRefusal(/invalid_client/, (provider) => {
    provider.clientSecret = 'changed there';
  }));

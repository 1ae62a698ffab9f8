import { emailField } from '@app/contract/fields';
import { CodeChallengeMethod, OAuth2Client } from 'arctic';
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as v from 'valibot';
import type { Clock } from '../../clock.ts';
import { type GoogleSettings, googleIssuer } from './settings.ts';

/** An authorization request. The response must match all three. */
export interface OAuthAttempt {
  state: string;
  /** RFC 7636 */
  codeVerifier: string;
  /** OpenID Connect Core §3.1.2.1 */
  nonce: string;
}

export interface Person {
  /** The provider's permanent id for the user. */
  subject: string;
  /** Lowercase; null if the provider has not verified it. */
  email: string | null;
  name: string | null;
}

interface Endpoints {
  authorization: string;
  token: string;
  jwks: string;
}

/** From Google's discovery document. Hard-coded to save a request. */
const googleEndpoints: Endpoints = {
  authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  jwks: 'https://www.googleapis.com/oauth2/v3/certs',
};

/** Per request. Long, so that a reply that arrives while the server stalls is still accepted. */
const timeoutMilliseconds = 20_000;

/** How far the provider's clock and ours may differ. */
const toleranceSeconds = 60;

/** Tokens are issued when the code is exchanged, which is when we receive them. */
const maxTokenSeconds = 600;

/**
 * Google as an OpenID provider (OpenID Connect Core §3.1, authorization code flow with PKCE).
 * Throws errors with reasons for the log.
 * @param redirectUri as registered with the provider
 */
export function createGoogle(
  { clientId, clientSecret, issuer }: GoogleSettings,
  redirectUri: string,
  clock: Clock,
  timeout = timeoutMilliseconds,
) {
  const isGoogle = issuer === googleIssuer;
  const client = new OAuth2Client(clientId, clientSecret, redirectUri);
  let known: Promise<Endpoints & { keys: JWTVerifyGetKey }> | undefined;

  const endpoints = () => {
    known ??= (isGoogle ? Promise.resolve(googleEndpoints) : discover(issuer, timeout))
      .then((found) => ({
        ...found,
        keys: createRemoteJWKSet(new URL(found.jwks), { timeoutDuration: timeout }),
      }))
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  };

  const claimsOf = v.object({
    sub: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
    // Only this client is trusted (OpenID Connect Core §3.1.3.7, 3 to 5).
    aud: v.union([v.literal(clientId), v.strictTuple([v.literal(clientId)])]),
    azp: v.optional(v.literal(clientId)),
    nonce: v.string(),
    email: v.optional(v.string()),
    email_verified: v.optional(v.unknown()),
    name: v.optional(v.string()),
    auth_time: v.optional(v.number()),
  });

  return {
    /** @param isAgain whether to ask the user to sign in again */
    async authorizationUrl(
      { state, codeVerifier, nonce }: OAuthAttempt,
      isAgain: boolean,
    ): Promise<string> {
      const { authorization } = await endpoints();
      const url = client.createAuthorizationURLWithPKCE(
        authorization,
        state,
        CodeChallengeMethod.S256,
        codeVerifier,
        ['openid', 'email', 'profile'],
      );
      url.searchParams.set('nonce', nonce);
      if (isAgain) {
        // Google does not support `login`; choosing the account is the most it offers
        // (developers.google.com/identity/openid-connect/openid-connect, `prompt`).
        url.searchParams.set('prompt', isGoogle ? 'select_account' : 'login');
        url.searchParams.set('max_age', '0');
      }
      return url.href;
    },

    /**
     * Exchanges the code for the user's identity (RFC 6749 §4.1.2).
     * @param again when the user was asked to sign in again, in milliseconds; null if not. The id
     * token must confirm it with `auth_time` (OpenID Connect Core §3.1.2.1), which Google omits.
     */
    async identify(
      { code, error }: { code: string | undefined; error: string | undefined },
      { codeVerifier, nonce }: Pick<OAuthAttempt, 'codeVerifier' | 'nonce'>,
      again: number | null,
    ): Promise<Person> {
      if (code === undefined) {
        throw new Error(`the provider returned no code (error: ${error?.slice(0, 100)})`);
      }
      const { token, keys } = await endpoints();
      // arctic does not accept an abort signal.
      const tokens = await Promise.race([
        client.validateAuthorizationCode(token, code, codeVerifier),
        rejectAfter(timeout),
      ]);
      const { payload } = await jwtVerify(tokens.idToken(), keys, {
        issuer: isGoogle ? [issuer, 'accounts.google.com'] : issuer,
        audience: clientId,
        // Every provider supports it by default (OpenID Connect Core §3.1.3.7, 7).
        algorithms: ['RS256'],
        requiredClaims: ['iat', 'exp'],
        currentDate: new Date(clock.now()),
        clockTolerance: toleranceSeconds,
        // Also rejects tokens that were issued in the future.
        maxTokenAge: maxTokenSeconds,
      });
      const claims = v.parse(claimsOf, payload);
      if (claims.nonce !== nonce)
        throw new Error('the id token belongs to another sign-in attempt');
      if (again !== null && !isBetween(again, clock.now(), claims.auth_time, isGoogle)) {
        throw new Error('the id token does not prove a fresh sign-in');
      }
      const email = v.safeParse(emailField(), claims.email);
      // The string "true" does not count (OpenID Connect Core §5.1).
      const isVerified = claims.email_verified === true && email.success;
      return {
        subject: claims.sub,
        email: isVerified ? email.output : null,
        name: claims.name ?? null,
      };
    },
  };
}

/** @param isGoogle whether a missing time counts */
function isBetween(
  asked: number,
  now: number,
  authTime: number | undefined,
  isGoogle: boolean,
): boolean {
  if (authTime === undefined) return isGoogle;
  const isRecent = (authTime + toleranceSeconds) * 1_000 >= asked;
  return isRecent && (authTime - toleranceSeconds) * 1_000 <= now;
}

/** OpenID Connect Discovery §4 */
async function discover(issuer: string, timeout: number): Promise<Endpoints> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`the discovery request returned ${response.status}`);
  const url = v.pipe(v.string(), v.regex(/^https?:\/\//));
  const document = v.object({
    issuer: v.literal(issuer),
    authorization_endpoint: url,
    token_endpoint: url,
    jwks_uri: url,
  });
  const found = v.parse(document, await response.json());
  return {
    authorization: found.authorization_endpoint,
    token: found.token_endpoint,
    jwks: found.jwks_uri,
  };
}

const rejectAfter = (milliseconds: number): Promise<never> =>
  new Promise((_, reject) => {
    const signal = AbortSignal.timeout(milliseconds);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

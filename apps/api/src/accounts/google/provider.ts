import { emailField } from '@app/contract/fields';
import { CodeChallengeMethod, OAuth2Client } from 'arctic';
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as v from 'valibot';
import type { Clock } from '../../clock.ts';
import { type GoogleSettings, googleIssuer } from './settings.ts';

/** What a attempt to the provider is bound to: these come back with it, or it is refused. */
export interface OAuthAttempt {
  state: string;
  /** RFC 7636 */
  codeVerifier: string;
  /** OpenID Connect Core §3.1.2.1 */
  nonce: string;
}

/** Somebody, as the provider vouches for them. */
export interface Person {
  /** What the provider calls them for good. */
  subject: string;
  /** In lower case; null where the provider has not verified that it is theirs. */
  email: string | null;
  name: string | null;
}

interface Endpoints {
  authorization: string;
  token: string;
  jwks: string;
}

/** As its own discovery document names them: one question less that may fail. */
const googleEndpoints: Endpoints = {
  authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  jwks: 'https://www.googleapis.com/oauth2/v3/certs',
};

/** How long the provider may take over each answer. */
const timeoutMilliseconds = 5_000;

/** How far its clock and ours may be apart. */
const toleranceSeconds = 60;

export type Google = ReturnType<typeof createGoogle>;

/**
 * Google as an OpenID provider (OpenID Connect Core §3.1, authorization code flow with PKCE):
 * arctic asks it, jose checks what it signed. Everything throws what went wrong, for the log.
 * @param redirectUri where the provider sends visitors back to, as registered with it
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

  /** Asked for once. An answer that failed is not kept. */
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
    // Ours alone, for we trust no other client (OpenID Connect Core §3.1.3.7, 3 to 5).
    aud: v.union([v.literal(clientId), v.strictTuple([v.literal(clientId)])]),
    azp: v.optional(v.literal(clientId)),
    nonce: v.string(),
    email: v.optional(v.string()),
    email_verified: v.optional(v.unknown()),
    name: v.optional(v.string()),
    auth_time: v.optional(v.number()),
  });

  return {
    /** Where the attempt begins. `isAgain` asks the provider to have the person sign in anew. */
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
        // Google knows no `login`: the most that it can be asked for is that the person chooses
        // their account (developers.google.com/identity/openid-connect/openid-connect, `prompt`).
        url.searchParams.set('prompt', isGoogle ? 'select_account' : 'login');
        url.searchParams.set('max_age', '0');
      }
      return url.href;
    },

    /**
     * Who came back: exchanges the code that the provider gave them (RFC 6749 §4.1.2).
     * @param again when the provider was asked to have them sign in anew, in milliseconds; null
     *   where it was not. An id token has to say that they did (OpenID Connect Core §3.1.2.1,
     *   `max_age`); only Google's says nothing of it.
     */
    async identify(
      { code, error }: { code: string | undefined; error: string | undefined },
      { codeVerifier, nonce }: Pick<OAuthAttempt, 'codeVerifier' | 'nonce'>,
      again: number | null,
    ): Promise<Person> {
      if (code === undefined) {
        throw new Error(`the provider gives no code, but ${error?.slice(0, 100)}`);
      }
      const { token, keys } = await endpoints();
      // arctic takes no signal: whoever waits is let go, and the connection ends by itself.
      const tokens = await Promise.race([
        client.validateAuthorizationCode(token, code, codeVerifier),
        rejectAfter(timeout),
      ]);
      const { payload } = await jwtVerify(tokens.idToken(), keys, {
        issuer: isGoogle ? [issuer, 'accounts.google.com'] : issuer,
        audience: clientId,
        // The one that every provider signs with unless told otherwise (OpenID Connect Core §3.1.3.7, 7).
        algorithms: ['RS256'],
        requiredClaims: ['iat', 'exp'],
        currentDate: new Date(clock.now()),
        clockTolerance: toleranceSeconds,
      });
      const claims = v.parse(claimsOf, payload);
      if (claims.nonce !== nonce) throw new Error('the id token is of another attempt');
      if (again !== null && !isSince(again, claims.auth_time, isGoogle)) {
        throw new Error('the id token does not say that the person signed in anew');
      }
      const email = v.safeParse(emailField(), claims.email);
      // A text that says true is none of the two values that there are (OpenID Connect Core §5.1).
      const isVerified = claims.email_verified === true && email.success;
      return {
        subject: claims.sub,
        email: isVerified ? email.output : null,
        name: claims.name ?? null,
      };
    },
  };
}

const isSince = (asked: number, authTime: number | undefined, isGoogle: boolean): boolean =>
  authTime === undefined ? isGoogle : (authTime + toleranceSeconds) * 1_000 >= asked;

/** OpenID Connect Discovery §4 */
async function discover(issuer: string, timeout: number): Promise<Endpoints> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`the discovery document is answered with ${response.status}`);
  const address = v.pipe(v.string(), v.regex(/^https?:\/\//));
  const document = v.object({
    issuer: v.literal(issuer),
    authorization_endpoint: address,
    token_endpoint: address,
    jwks_uri: address,
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

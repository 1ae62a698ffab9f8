import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Credentials } from '@app/contract/accounts/sign-in';
import type { Clock } from '../../clock.ts';

/** In seconds; as long as the confirmation link. */
export const signUpCookieLifetime = 24 * 60 * 60;

export type SignUpCookies = ReturnType<typeof createSignUpCookies>;

/**
 * A signed time (HMAC-SHA256, RFC 2104) for the email and password of a sign-up. Every sign-up sets
 * one, so only the browser that signed up learns that the email is not confirmed, and the reply
 * reveals nothing about the address (OWASP, "Account enumeration").
 */
export function createSignUpCookies(secret: string, clock: Clock) {
  const sign = ({ email, password }: Credentials, time: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([email, password, time]))
      .digest();

  return {
    issue(credentials: Credentials): string {
      const time = String(clock.now());
      return `${time}.${sign(credentials, time).toString('base64url')}`;
    },

    recognize(cookie: string | undefined, credentials: Credentials): boolean {
      const [time = '', signature = ''] = cookie?.split('.') ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(credentials, time);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      return Math.abs(clock.now() - Number(time)) < signUpCookieLifetime * 1_000;
    },
  };
}

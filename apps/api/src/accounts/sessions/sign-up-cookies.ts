import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Credentials } from '@app/contract/accounts/sign-in';
import type { Clock } from '../../clock.ts';

/** As long as the link works that confirms the sign-up, in seconds. */
export const signUpCookieLifetime = 24 * 60 * 60;

export type SignUpCookies = ReturnType<typeof createSignUpCookies>;

/**
 * What a browser keeps of its sign-up: a time, signed with HMAC-SHA256 (RFC 2104) for the email and
 * the password that were typed. Every sign-up gets one, whatever the address. So only the browser
 * that signed up is told that its email is not confirmed yet, and what it is told depends on nothing
 * that the server knows of the address (OWASP, "Account enumeration").
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

    /** Whether the browser signed up with just these in the last day. */
    recognize(cookie: string | undefined, credentials: Credentials): boolean {
      const [time = '', signature = ''] = cookie?.split('.') ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(credentials, time);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      return Math.abs(clock.now() - Number(time)) < signUpCookieLifetime * 1_000;
    },
  };
}

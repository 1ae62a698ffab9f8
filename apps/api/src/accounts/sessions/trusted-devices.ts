import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { newToken } from '../../tokens.ts';

/** In seconds: a year. */
export const deviceLifetime = 365 * 24 * 60 * 60;

const day = 24 * 60 * 60 * 1_000;

export type TrustedDevices = ReturnType<typeof createTrustedDevices>;

/**
 * Marks a browser in which the account was signed in before (OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies"): a nonce and the time, signed with HMAC-SHA256 (RFC 2104). It does
 * not sign in, but lets the owner in while others have locked the account by guessing.
 */
export function createTrustedDevices(secret: string, clock: Clock) {
  const sign = (userId: string, nonce: string, time: string): Buffer =>
    createHmac('sha256', secret).update(`${userId}.${nonce}.${time}`).digest();

  return {
    issue(userId: string): string {
      const nonce = newToken();
      const time = String(clock.now());
      return `${nonce}.${time}.${sign(userId, nonce, time).toString('base64url')}`;
    },

    /** The cookie's nonce; null if it is invalid, too old or for another account. */
    recognize(cookie: string | undefined, userId: string): string | null {
      const [nonce = '', time = '', signature = ''] = cookie?.split('.') ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(userId, nonce, time);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const age = clock.now() - Number(time);
      // From the future: the clock was set back.
      return age > -day && age < deviceLifetime * 1_000 ? nonce : null;
    },
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { newToken } from '../../tokens.ts';

/** How long a browser is known after a sign-in, in seconds: a year. */
export const deviceLifetime = 365 * 24 * 60 * 60;

const day = 24 * 60 * 60 * 1_000;

export type TrustedDevices = ReturnType<typeof createTrustedDevices>;

/**
 * What a browser keeps to show that somebody signed in with it before (OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies"): a nonce and the time, signed with HMAC-SHA256
 * (RFC 2104) for one account. It signs nobody in. But whoever locks an account by guessing its
 * password does not hold one, so its owner still gets in from such a browser.
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

    /** The nonce of one that was issued for this account and is not too old; null for any other. */
    recognize(cookie: string | undefined, userId: string): string | null {
      const [nonce = '', time = '', signature = ''] = cookie?.split('.') ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(userId, nonce, time);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const age = clock.now() - Number(time);
      // One from tomorrow or later was issued by a clock that was set back since.
      return age > -day && age < deviceLifetime * 1_000 ? nonce : null;
    },
  };
}

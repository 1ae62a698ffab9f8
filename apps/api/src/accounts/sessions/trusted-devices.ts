import { day } from '@app/contract/durations';
import type { Clock } from '../../clock.ts';
import { createSigner, newToken } from '../../tokens.ts';

/** In seconds: a year. */
export const deviceLifetime = 365 * 24 * 60 * 60;

export type TrustedDevices = ReturnType<typeof createTrustedDevices>;

/** A new password invalidates the cookies, because someone else may have known the old one. */
interface Account {
  id: string;
  passwordHash: string | null;
}

/**
 * Cookies that mark a browser in which the account was signed in before (OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies"). They contain a signed nonce and time. They do not sign
 * anyone in, but let the owner sign in while strangers have locked the account by guessing.
 */
export function createTrustedDevices(secret: string, clock: Clock) {
  const signer = createSigner(secret);
  const textOf = ({ id, passwordHash }: Account, nonce: string, time: string): string =>
    JSON.stringify([id, passwordHash, nonce, time]);

  return {
    issue(account: Account): string {
      const nonce = newToken();
      const time = String(clock.now());
      return `${nonce}.${time}.${signer.sign(textOf(account, nonce, time))}`;
    },

    /** The cookie's nonce; null if it is invalid, too old or for another account or password. */
    recognize(cookie: string | undefined, account: Account): string | null {
      const [nonce = '', time = '', signature = ''] = cookie?.split('.') ?? [];
      if (!signer.verify(textOf(account, nonce, time), signature)) return null;
      const age = clock.now() - Number(time);
      // Negative if the clock was set back.
      return age > -day && age < deviceLifetime * 1_000 ? nonce : null;
    },
  };
}

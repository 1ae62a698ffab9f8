import { day } from '@app/contract/durations';
import type { Clock } from '../../clock.ts';
import { createSigner, newToken } from '../../tokens.ts';

/** In seconds: a year. */
export const deviceLifetime = 365 * 24 * 60 * 60;

export type TrustedDevices = ReturnType<typeof createTrustedDevices>;

/** Its cookies end with its password, which someone else may have known. */
interface Account {
  id: string;
  passwordHash: string | null;
}

/**
 * Marks a browser in which the account was signed in before (OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies"): a signed nonce and time. It does not sign in, but lets the owner in
 * while others have locked the account by guessing.
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
      // From the future: the clock was set back.
      return age > -day && age < deviceLifetime * 1_000 ? nonce : null;
    },
  };
}

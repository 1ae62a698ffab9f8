import type { Credentials } from '@app/contract/accounts/sign-in';
import type { Clock } from '../../clock.ts';
import { createSigner } from '../../tokens.ts';

/** In seconds; as long as the confirmation link. */
export const signUpCookieLifetime = 24 * 60 * 60;

export type SignUpCookies = ReturnType<typeof createSignUpCookies>;

/**
 * A signed time for the email and password of a sign-up. Every sign-up sets
 * one, so only the browser that signed up sees that the email is not confirmed, and the reply
 * reveals nothing about the address (OWASP, "Account enumeration").
 */
export function createSignUpCookies(secret: string, clock: Clock) {
  const signer = createSigner(secret);
  const textOf = ({ email, password }: Credentials, time: string): string =>
    JSON.stringify([email, password, time]);

  return {
    issue(credentials: Credentials): string {
      const time = String(clock.now());
      return `${time}.${signer.sign(textOf(credentials, time))}`;
    },

    recognize(cookie: string | undefined, credentials: Credentials): boolean {
      const [time = '', signature = ''] = cookie?.split('.') ?? [];
      if (!signer.verify(textOf(credentials, time), signature)) return false;
      return Math.abs(clock.now() - Number(time)) < signUpCookieLifetime * 1_000;
    },
  };
}

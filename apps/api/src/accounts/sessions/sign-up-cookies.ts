import type { Credentials } from '@app/contract/accounts/sign-in';
import type { Clock } from '../../clock.ts';
import { createSigner } from '../../tokens.ts';

/** In seconds: the lifetime of the confirmation link. */
export const signUpCookieLifetime = 24 * 60 * 60;

export type SignUpCookies = ReturnType<typeof createSignUpCookies>;

/**
 * Cookies that mark the browser of a sign-up. They contain the time and three signatures: for the
 * email and password, for the password hash that the link confirms, and for the email alone.
 *
 * Every sign-up sets one, so the reply reveals nothing about the address (OWASP, "Account
 * enumeration"), and only the browser that signed up shows that the email is not confirmed.
 */
export function createSignUpCookies(secret: string, clock: Clock) {
  const signer = createSigner(secret);
  const textOf = ({ email, password }: Credentials, time: string): string =>
    JSON.stringify([email, password, time]);
  const textOfLink = (passwordHash: string, time: string): string =>
    JSON.stringify([passwordHash, time]);
  const textOfEmail = (email: string, time: string): string => JSON.stringify({ email, time });
  const isCurrent = (time: string): boolean =>
    Math.abs(clock.now() - Number(time)) < signUpCookieLifetime * 1_000;

  return {
    issue(credentials: Credentials, passwordHash: string): string {
      const time = String(clock.now());
      const { email } = credentials;
      const texts = [
        textOf(credentials, time),
        textOfLink(passwordHash, time),
        textOfEmail(email, time),
      ];
      return [time, ...texts.map((text) => signer.sign(text))].join('.');
    },

    recognize(cookie: string | undefined, credentials: Credentials): boolean {
      const [time = '', signature = ''] = cookie?.split('.') ?? [];
      return signer.verify(textOf(credentials, time), signature) && isCurrent(time);
    },

    /** Whether the cookie is from the sign-up whose link confirms this hash. */
    recognizeLink(cookie: string | undefined, passwordHash: string): boolean {
      const [time = '', , signature = ''] = cookie?.split('.') ?? [];
      return signer.verify(textOfLink(passwordHash, time), signature) && isCurrent(time);
    },

    /** Whether the cookie is from a sign-up with this email. */
    recognizeEmail(cookie: string | undefined, email: string): boolean {
      const [time = '', , , signature = ''] = cookie?.split('.') ?? [];
      return signer.verify(textOfEmail(email, time), signature) && isCurrent(time);
    },
  };
}

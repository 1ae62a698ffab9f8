import { accountMessages } from '@app/contract/accounts/messages';
import { hour, minute } from '@app/contract/durations';
import type { RateLimit, RateLimits, Step } from '../../server/rate-limits/rate-limits.ts';

const signIns = {
  ofClient: { name: 'sign-in-from', max: 100, milliseconds: 15 * minute },
  ofAccount: { name: 'sign-in-to', max: 10, milliseconds: 15 * minute },
  ofDevice: { name: 'sign-in-device', max: 10, milliseconds: 15 * minute },
} satisfies Record<string, RateLimit>;
const signUpsOfClient: RateLimit = { name: 'sign-up-from', max: 20, milliseconds: hour };
const emailsOfClient: RateLimit = { name: 'account-emails-from', max: 20, milliseconds: hour };
const linksOfClient: RateLimit = {
  name: 'account-links-from',
  max: 100,
  milliseconds: 15 * minute,
};

/** Each kind of email has its own limits, so that using up one does not block the other. */
const emailsTo = (kind: string) => ({
  pause: { name: `${kind}-pause`, max: 1, milliseconds: minute },
  hourly: { name: `${kind}-emails`, max: 5, milliseconds: hour },
});
const resends = emailsTo('confirmation');
const resets = emailsTo('password-reset');

export interface TooMany {
  retryAfterSeconds: number;
  detail: string;
}

type Limited = [step: Step, text: (retryAfterSeconds: number) => string];

interface SignInAttempt {
  /** The client's IP address. Null is not counted. */
  address: string | null;
  /** As entered. Unknown accounts are locked too, so that a lock reveals nothing. */
  email: string;
  /** From the device cookie, if the browser was signed in to the account before. */
  deviceNonce: string | null;
}

export type AccountLimits = ReturnType<typeof createAccountLimits>;

/** Each function counts a request before anything is hashed, and returns null if it is allowed. */
export function createAccountLimits({ rateLimits }: { rateLimits: RateLimits }) {
  async function countAll(...all: Limited[]): Promise<TooMany | null> {
    const taken = await rateLimits.takeSteps(all.map(([step]) => step));
    if (taken.allowed) return null;
    const { retryAfterSeconds, step } = taken;
    const [, text] = all[step] as Limited;
    return { retryAfterSeconds, detail: text(retryAfterSeconds) };
  }
  /** A null key is not counted. */
  const stepOf = (limit: RateLimit, key: string | null): Step =>
    key === null ? [] : [[limit, key]];

  const { limits } = accountMessages;
  const limitOf = ({ email, deviceNonce }: Omit<SignInAttempt, 'address'>): [RateLimit, string] =>
    deviceNonce === null ? [signIns.ofAccount, email] : [signIns.ofDevice, deviceNonce];

  /** A refused request does not start another pause. */
  const countEmail = (
    { pause, hourly }: ReturnType<typeof emailsTo>,
    address: string | null,
    email: string,
  ) =>
    countAll(
      [stepOf(emailsOfClient, address), limits.accounts],
      [
        [
          [pause, email],
          [hourly, email],
        ],
        limits.emails,
      ],
    );

  return {
    signIn: (attempt: SignInAttempt) =>
      countAll(
        [stepOf(signIns.ofClient, attempt.address), limits.signIn],
        [[limitOf(attempt)], limits.signIn],
      ),
    /** Called after the right password: earlier failed attempts no longer count. */
    forgetSignIns: (attempt: Omit<SignInAttempt, 'address'>) =>
      rateLimits.forget(...limitOf(attempt)),
    /** Not per email: strangers could keep its owner from signing up. */
    signUp: (address: string | null) =>
      countAll([stepOf(signUpsOfClient, address), limits.accounts]),
    resend: (address: string | null, { email }: { email: string }) =>
      countEmail(resends, address, email),
    reset: (address: string | null, { email }: { email: string }) =>
      countEmail(resets, address, email),
    link: (address: string | null) => countAll([stepOf(linksOfClient, address), limits.accounts]),
  };
}

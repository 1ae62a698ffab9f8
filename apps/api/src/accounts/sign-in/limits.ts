import { accountMessages } from '@app/contract/accounts/messages';
import { sharedCommit } from '@app/db/shared-commit';
import { createRateLimit, type RateLimit } from '../../server/rate-limits.ts';
import type { Deps } from './deps.ts';

const minute = 60;
const hour = 60 * minute;

export interface TooMany {
  retryAfterSeconds: number;
  detail: string;
}

type Count = Pick<RateLimit, 'take'>;
/** A null key is not counted. */
type Counted = [limit: Count, key: string | null, text: (retryAfterSeconds: number) => string];

interface SignInAttempt {
  /** Null is not counted. */
  address: string | null;
  /** As typed. Unknown accounts are locked too, so that a lock reveals nothing. */
  email: string;
  /** Of a browser that was signed in to the account before. */
  deviceNonce: string | null;
}

interface EmailRequest {
  address: string | null;
  email: string;
}

export type AccountLimits = ReturnType<typeof createAccountLimits>;

/** Each limit counts the request, before anything is hashed, and returns null if it is allowed. */
export function createAccountLimits({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const limit = (name: string, max: number, seconds: number): RateLimit =>
    createRateLimit({ db, clock }, { name, max, seconds });
  const signIns = {
    ofClient: limit('sign-in-from', 100, 15 * minute),
    ofAccount: limit('sign-in-to', 10, 15 * minute),
    ofDevice: limit('sign-in-device', 10, 15 * minute),
  };
  const signUpsOfClient = limit('sign-up-from', 20, hour);
  const signUpsOfAddress = limit('sign-up-emails', 5, hour);
  const emailsOfClient = limit('account-emails-from', 20, hour);
  const linksOfClient = limit('account-links-from', 100, 15 * minute);

  // Per kind of email, so that using up one does not block the other.
  const emailsTo = (kind: string): Count => {
    const pause = limit(`${kind}-pause`, 1, minute);
    const hourly = limit(`${kind}-emails`, 5, hour);
    return {
      take(tx, email) {
        const paused = pause.take(tx, email);
        if (!paused.allowed) return paused;
        const taken = hourly.take(tx, email);
        // No email was sent, so no pause starts.
        if (!taken.allowed) pause.forget(tx, email);
        return taken;
      },
    };
  };
  const resends = emailsTo('confirmation');
  const resets = emailsTo('password-reset');

  const countAll = (...all: Counted[]): Promise<TooMany | null> =>
    sharedCommit(db, (tx) => {
      for (const [limit, key, text] of all) {
        const taken = key === null ? null : limit.take(tx, key);
        if (taken?.allowed === false) {
          const { retryAfterSeconds } = taken;
          return { retryAfterSeconds, detail: text(retryAfterSeconds) };
        }
      }
      return null;
    });

  const { limits } = accountMessages;
  const limitOf = ({ email, deviceNonce }: SignInAttempt): [RateLimit, string] =>
    deviceNonce === null ? [signIns.ofAccount, email] : [signIns.ofDevice, deviceNonce];

  return {
    /** Before the password is compared. */
    signIn: (attempt: SignInAttempt) =>
      countAll(
        [signIns.ofClient, attempt.address, limits.signIn],
        [...limitOf(attempt), limits.signIn],
      ),
    /** After the right password, failed attempts no longer count. */
    async forgetSignIns(attempt: SignInAttempt): Promise<void> {
      const [limit, key] = limitOf(attempt);
      await sharedCommit(db, (tx) => limit.forget(tx, key));
    },
    signUp: ({ address, email }: EmailRequest) =>
      countAll(
        [signUpsOfClient, address, limits.accounts],
        [signUpsOfAddress, email, limits.accounts],
      ),
    resend: ({ address, email }: EmailRequest) =>
      countAll([emailsOfClient, address, limits.accounts], [resends, email, limits.emails]),
    reset: ({ address, email }: EmailRequest) =>
      countAll([emailsOfClient, address, limits.accounts], [resets, email, limits.emails]),
    link: (address: string | null) => countAll([linksOfClient, address, limits.accounts]),
  };
}

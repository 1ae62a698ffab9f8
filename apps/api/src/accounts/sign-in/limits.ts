import { accountMessages } from '@app/contract/accounts/messages';
import { sharedCommit } from '@app/db/shared-commit';
import type { Deps } from '../../deps.ts';
import { createRateLimit, type RateLimit } from '../../server/rate-limits.ts';

const minute = 60;
const hour = 60 * minute;

/** How long to wait, and the text that says so. */
export interface TooMany {
  retryAfterSeconds: number;
  detail: string;
}

type Count = Pick<RateLimit, 'take'>;
/** A limit, its key (null: not counted), and what to say when it is used up. */
type Counted = [limit: Count, key: string | null, text: (retryAfterSeconds: number) => string];

export interface SignInAttempt {
  /** Whom the limits count; null for nobody. */
  address: string | null;
  /** As typed: an account that is not there is locked like any other, so that nobody learns from it. */
  email: string;
  /** Of the browser's cookie, where its owner signed in with it before. */
  deviceNonce: string | null;
}

export interface MailRequest {
  address: string | null;
  email: string;
}

export type AccountLimits = ReturnType<typeof createAccountLimits>;

/**
 * How often accounts may be tried, made and written to. Each counts the request, in one commit, and
 * returns null when it is allowed. They are counted before anything is hashed, so that of many
 * requests at once no more than allowed are compared.
 */
export function createAccountLimits({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const limit = (name: string, max: number, seconds: number): RateLimit =>
    createRateLimit({ db, clock }, { name, max, seconds });
  const tries = {
    ofClient: limit('sign-in-from', 100, 15 * minute),
    ofStrangers: limit('sign-in-to', 10, 15 * minute),
    ofDevice: limit('sign-in-device', 10, 15 * minute),
  };
  const signUpsOfClient = limit('sign-up-from', 20, hour);
  const signUpsOfAddress = limit('sign-up-mails', 5, hour);
  const mailsOfClient = limit('account-mails-from', 20, hour);
  const linksOfClient = limit('account-links-from', 100, 15 * minute);

  // One for each kind: a stranger who uses one up does not take the other from its owner.
  const mailsTo = (kind: string): Count => {
    const pause = limit(`${kind}-pause`, 1, minute);
    const hourly = limit(`${kind}-mails`, 5, hour);
    return {
      take(tx, email) {
        const paused = pause.take(tx, email);
        if (!paused.allowed) return paused;
        const taken = hourly.take(tx, email);
        // Nothing is sent, so there is nothing to pause after: the longer wait is the one to say.
        if (!taken.allowed) pause.forget(tx, email);
        return taken;
      },
    };
  };
  const resends = mailsTo('confirmation');
  const resets = mailsTo('password-reset');

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
  const triesOf = ({ email, deviceNonce }: SignInAttempt): [RateLimit, string] =>
    deviceNonce === null ? [tries.ofStrangers, email] : [tries.ofDevice, deviceNonce];

  return {
    /** A try with a password, before it is compared. */
    signIn: (tried: SignInAttempt) =>
      countAll([tries.ofClient, tried.address, limits.signIn], [...triesOf(tried), limits.signIn]),
    /** Once the password was right: the wrong ones before it no longer count. */
    async forgetSignIns(tried: SignInAttempt): Promise<void> {
      const [limit, key] = triesOf(tried);
      await sharedCommit(db, (tx) => limit.forget(tx, key));
    },
    signUp: ({ address, email }: MailRequest) =>
      countAll(
        [signUpsOfClient, address, limits.accounts],
        [signUpsOfAddress, email, limits.accounts],
      ),
    resend: ({ address, email }: MailRequest) =>
      countAll([mailsOfClient, address, limits.accounts], [resends, email, limits.mails]),
    reset: ({ address, email }: MailRequest) =>
      countAll([mailsOfClient, address, limits.accounts], [resets, email, limits.mails]),
    /** A use of a mailed link. */
    link: (address: string | null) => countAll([linksOfClient, address, limits.accounts]),
  };
}

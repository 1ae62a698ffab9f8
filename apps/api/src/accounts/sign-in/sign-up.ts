import type { Credentials } from '@app/contract/accounts/sign-in';
import { day } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { profiles, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { countEmailRequest } from '../../email/budget.ts';
import { enqueueEmail } from '../../email/outbox.ts';
import { newId } from '../../tokens.ts';
import { findUserByEmail } from '../sessions/user.ts';
import type { Deps } from './deps.ts';
import { issueEmailToken, passwordsToConfirm, renewSignUps } from './email-tokens.ts';
import { alreadyRegisteredEmail, confirmationEmail } from './emails.ts';

const linkLifetime = day;

const kind = 'confirmation';

/** Different passwords that await confirmation, per address. Further ones are not stored. */
const maxSignUps = 100;

/**
 * Stores a sign-up until the emailed link confirms it, and creates an unconfirmed account if there
 * is none. The work and the reply are the same for known addresses (OWASP Authentication Cheat
 * Sheet, "Account enumeration"): their sign-ups are stored, too, but no link can confirm them.
 *
 * A sign-up counts without an email, too, so that any link to the address leads its owner to a new
 * password, see `confirmEmail`: strangers can use up the emails to an address with sign-ups, but not
 * prevent that of its owner.
 */
export async function signUp(deps: Deps, { email, password }: Credentials): Promise<void> {
  const { db, clock, outbox, passwords, settings } = deps;
  const account = findUserByEmail(db, email);
  const owner = { email, passwordHash: account?.passwordHash ?? null };
  const passwordHash = await passwords.hash(password, owner);
  await writeTransaction(db, (tx) => {
    const now = clock.now();
    const user = findUserByEmail(tx, email) ?? createUser(tx, email, now);
    const isKnown = user.emailConfirmedAt !== null;
    const isSent = countEmailRequest(tx, countedAs(email, user), { db, now });
    const isLinkSent = isSent && !isKnown;
    const isRepeated = renewSignUps(tx, user.id, passwordHash, now);
    const isFull = passwordsToConfirm(tx, user.id).length >= maxSignUps;
    if (isLinkSent || !(isRepeated || isFull)) {
      const lifetime = isLinkSent ? linkLifetime : 0;
      const link = { purpose: 'confirm', userId: user.id, lifetime, passwordHash } as const;
      const token = issueEmailToken(tx, link, now);
      if (isLinkSent) enqueueEmail(tx, now, confirmationEmail(email, settings.publicUrl, token));
    }
    if (isSent && isKnown) enqueueEmail(tx, now, alreadyRegisteredEmail(email, settings.publicUrl));
  });
  outbox.wake();
}

/**
 * Sends the email of a sign-up again, with a new link. Does the same work for all other addresses.
 */
export async function resendConfirmation(deps: Deps, email: string): Promise<void> {
  const { db, clock, outbox, settings } = deps;
  await writeTransaction(db, (tx) => {
    const now = clock.now();
    const user = findUserByEmail(tx, email);
    const [signUp] = user ? passwordsToConfirm(tx, user.id) : [];
    const request = user && signUp ? countedAs(email, user) : { email, kind, isSent: false };
    if (!countEmailRequest(tx, request, { db, now }) || !user || !signUp) return;
    if (user.emailConfirmedAt !== null) {
      return enqueueEmail(tx, now, alreadyRegisteredEmail(email, settings.publicUrl));
    }
    const token = issueEmailToken(
      tx,
      { purpose: 'confirm', userId: user.id, lifetime: linkLifetime, ...signUp },
      now,
    );
    enqueueEmail(tx, now, confirmationEmail(email, settings.publicUrl, token));
  });
  outbox.wake();
}

/** What is sent to a confirmed account does not let its owner in. */
const countedAs = (email: string, account: { emailConfirmedAt: number | null }) => ({
  email,
  kind,
  ...(account.emailConfirmedAt === null && { letsInto: account }),
});

function createUser(tx: Transaction, email: string, now: number) {
  const user = {
    id: newId(),
    email,
    emailConfirmedAt: null,
    passwordHash: null,
    createdAt: now,
  };
  tx.insert(users).values(user).run();
  tx.insert(profiles).values({ id: user.id, updatedAt: now }).run();
  return user;
}

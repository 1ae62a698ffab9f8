import type { Credentials } from '@app/contract/accounts/sign-in';
import { day } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { profiles, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { countEmailRequest } from '../../email/budget.ts';
import { enqueueEmail } from '../../email/outbox.ts';
import { newId } from '../../tokens.ts';
import { findUserByEmail } from '../sessions/user.ts';
import type { Deps } from './deps.ts';
import { issueEmailToken, passwordsToConfirm } from './email-tokens.ts';
import { alreadyRegisteredEmail, confirmationEmail, signUpAgainEmail } from './emails.ts';

const linkLifetime = day;

/**
 * Creates an unconfirmed account. The work and the reply are the same for known addresses (OWASP
 * Authentication Cheat Sheet, "Account enumeration"); only the email differs.
 *
 * The password belongs to the emailed link, see `confirmEmail`. If strangers have used up the
 * budget, no email is sent, but a sign-up for a known account still counts as one.
 * @returns the password's hash
 */
export async function signUp(deps: Deps, { email, password }: Credentials): Promise<string> {
  const { db, clock, outbox, passwords, settings } = deps;
  const passwordHash = await passwords.hash(password);
  await writeTransaction(db, (tx) => {
    const now = clock.now();
    const isSent = countEmailRequest(tx, { email, kind: 'confirmation' }, { db, now });
    const known = findUserByEmail(tx, email);
    if (!known && !isSent) return;
    const user = known ?? createUser(tx, email, now);
    if (user.emailConfirmedAt !== null) {
      if (isSent) enqueueEmail(tx, now, alreadyRegisteredEmail(email, settings.publicUrl));
      return;
    }
    const userId = user.id;
    tx.update(users).set({ passwordHash }).where(eq(users.id, userId)).run();
    const lifetime = linkLifetime;
    const token = issueEmailToken(tx, { purpose: 'confirm', userId, lifetime, passwordHash }, now);
    if (isSent) enqueueEmail(tx, now, confirmationEmail(email, settings.publicUrl, token));
  });
  outbox.wake();
  return passwordHash;
}

/**
 * Emails a new link for the password of the sign-up. Does the same work for all other addresses. If
 * several sign-ups await confirmation, one may be a stranger's, so the email asks the user to sign
 * up again.
 */
export async function resendConfirmation(deps: Deps, email: string): Promise<void> {
  const { db, clock, outbox, settings } = deps;
  await writeTransaction(db, (tx) => {
    const now = clock.now();
    const user = findUserByEmail(tx, email);
    const isUnconfirmed = user !== undefined && user.emailConfirmedAt === null;
    const [signUp, another] = isUnconfirmed ? passwordsToConfirm(tx, user.id) : [];
    const request = { email, kind: 'confirmation', account: user && signUp ? user : null };
    if (!countEmailRequest(tx, request, { db, now }) || !user || !signUp) return;
    if (another) return enqueueEmail(tx, now, signUpAgainEmail(email, settings.publicUrl));
    const token = issueEmailToken(
      tx,
      { purpose: 'confirm', userId: user.id, lifetime: linkLifetime, ...signUp },
      now,
    );
    enqueueEmail(tx, now, confirmationEmail(email, settings.publicUrl, token));
  });
  outbox.wake();
}

function createUser(tx: Transaction, email: string, now: number) {
  const user = { id: newId(), email, emailConfirmedAt: null, createdAt: now };
  tx.insert(users).values(user).run();
  tx.insert(profiles).values({ id: user.id, updatedAt: now }).run();
  return user;
}

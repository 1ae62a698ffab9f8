import { hour } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { countEmailRequest } from '../../email/budget.ts';
import { enqueueEmail } from '../../email/outbox.ts';
import { type Authenticated, deleteSessionsOf } from '../sessions/sessions.ts';
import { findUserByEmail } from '../sessions/user.ts';
import type { Deps } from './deps.ts';
import { endEmailTokens, findEmailToken, issueEmailToken } from './email-tokens.ts';
import { passwordResetEmail } from './emails.ts';

const linkHours = 1;

/**
 * Emails a link to choose a new password, which replaces earlier links. Does the same work for
 * unknown addresses. The link proves as much as a confirmation link, so it also sets a first
 * password, and confirms unconfirmed accounts.
 */
export async function emailPasswordReset(deps: Deps, email: string): Promise<void> {
  const { db, clock, outbox, settings } = deps;
  await writeTransaction(db, (tx) => {
    const now = clock.now();
    const user = findUserByEmail(tx, email);
    // Strangers who request resets for an unconfirmed account must leave emails for confirmations,
    // which work longer.
    const isConfirmed = user !== undefined && user.emailConfirmedAt !== null;
    const request = { email, kind: 'password-reset', ...(isConfirmed && { letsInto: user }) };
    const counted = { ...request, isSent: user !== undefined };
    if (!countEmailRequest(tx, counted, { db, now }) || !user) return;
    endEmailTokens(tx, user.id, now, 'reset-password');
    const token = issueResetToken(tx, user.id, now);
    const link = `${settings.publicUrl}/auth/reset?token=${token}`;
    enqueueEmail(tx, now, passwordResetEmail(email, link, linkHours));
  });
  outbox.wake();
}

export const issueResetToken = (tx: Transaction, userId: string, now: number): string =>
  issueEmailToken(tx, { purpose: 'reset-password', userId, lifetime: linkHours * hour }, now);

/** Does not use up the link. */
export const isResetLinkValid = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): boolean => findEmailToken(db, token, 'reset-password', clock.now()) !== undefined;

/**
 * Sets the password, and ends all sessions and links (OWASP Forgot Password Cheat Sheet).
 * @returns null if the link is invalid
 */
export async function resetPassword(
  deps: Deps,
  { token, password }: { token: string; password: string },
): Promise<(Authenticated & { email: string }) | null> {
  const { db, clock, passwords } = deps;
  const valid = findEmailToken(db, token, 'reset-password', clock.now());
  const owner = valid && db.select().from(users).where(eq(users.id, valid.userId)).get();
  if (!owner) return null;
  // With the same salt: strangers' sign-ups with this address must not reveal that it has changed.
  const passwordHash = await passwords.hash(password, owner);
  return writeTransaction(db, (tx) => {
    const now = clock.now();
    const link = findEmailToken(tx, token, 'reset-password', now);
    const user = link && tx.select().from(users).where(eq(users.id, link.userId)).get();
    if (!user) return null;
    const { id: userId, email } = user;
    const emailConfirmedAt = user.emailConfirmedAt ?? now;
    tx.update(users).set({ passwordHash, emailConfirmedAt }).where(eq(users.id, userId)).run();
    deleteSessionsOf(tx, userId);
    endEmailTokens(tx, userId, now);
    return { userId, passwordHash, email };
  });
}

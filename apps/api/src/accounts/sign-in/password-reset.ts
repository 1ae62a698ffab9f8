import { users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { countEmailRequest } from '../../email/budget.ts';
import { enqueueMail } from '../../email/outbox.ts';
import { type Authenticated, deleteSessionsOf } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { endEmailTokens, findEmailToken, issueEmailToken } from './email-tokens.ts';
import { passwordResetMail } from './emails.ts';

const hour = 60 * 60 * 1_000;
/** How long a link to choose a new password works, in hours. */
const linkHours = 1;

/**
 * Mails the owner of an account a link to choose a new password, in place of any before it;
 * does nothing, in silence and in the same time, where there is no account.
 *
 * Every account gets one. One that only signs in with Google gets its first password so, and
 * one that waits for its confirmation is confirmed by it: who can open the mail owns the
 * address, which is all that the other link would show. So a forgotten password before the first
 * sign-in, or a stranger's sign-up with one's address, needs no other way out.
 */
export async function mailPasswordReset(deps: Deps, email: string): Promise<void> {
  const { db, clock, outbox, settings } = deps;
  await writeTransaction(db, (tx) => {
    const now = clock.now();
    const purpose = 'reset-password';
    if (!countEmailRequest(tx, { email, kind: 'password-reset' }, now)) return;
    const user = tx.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
    if (!user) return;
    const userId = user.id;
    endEmailTokens(tx, userId, now, purpose);
    const token = issueEmailToken(tx, { purpose, userId, lifetime: linkHours * hour }, now);
    const link = `${settings.publicUrl}/auth/reset?token=${token}`;
    enqueueMail(tx, now, passwordResetMail(email, link, linkHours));
  });
  outbox.wake();
}

/** Whether a link to choose a new password works. Looking does not use it up. */
export const isResetLinkValid = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): boolean => findEmailToken(db, token, 'reset-password', clock.now()) !== undefined;

/**
 * Sets the password of the account that the link was mailed for, and in the same commit ends all
 * of its sessions and kills all of its links (OWASP Forgot Password Cheat Sheet). Of several uses
 * at once one wins; null for all others, and for a link that no longer works.
 */
export async function resetPassword(
  deps: Deps,
  { token, password }: { token: string; password: string },
): Promise<(Authenticated & { email: string }) | null> {
  const { db, clock, passwords } = deps;
  // A hash is work that a made-up link is not worth.
  if (!isResetLinkValid(deps, token)) return null;
  const passwordHash = await passwords.hash(password);
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

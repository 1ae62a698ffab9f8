import { users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { enqueueMail } from '../../email/outbox.ts';
import { findRecentSession } from '../sessions/live-session.ts';
import { type Authenticated, deleteSessionsOf, type SignedIn } from '../sessions/sessions.ts';
import { endEmailTokens } from '../sign-in/email-tokens.ts';
import type { Deps } from './deps.ts';
import { passwordChangedMail } from './emails.ts';

/**
 * Gives an account another password, or its first one. Whoever else was signed in, or held a
 * mailed link, is out from then on (OWASP Session Management Cheat Sheet), and its owner is told.
 * The session that asks ends as well: the caller starts a new one.
 */
export async function changePassword(
  { db, clock, outbox, passwords, settings }: Deps,
  user: SignedIn,
  password: string,
): Promise<Authenticated | { refused: 'not_signed_in' | 'sign_in_again' }> {
  const askedAt = clock.now();
  const passwordHash = await passwords.hash(password);
  const changed = await writeTransaction(db, (tx) => {
    const now = clock.now();
    // Recent when it was asked for: hashing takes its time in a long line.
    const session = findRecentSession(tx, user, askedAt);
    if ('refused' in session) return session;
    const { userId, email } = session;
    tx.update(users).set({ passwordHash }).where(eq(users.id, userId)).run();
    endEmailTokens(tx, userId, now);
    deleteSessionsOf(tx, userId);
    enqueueMail(tx, now, passwordChangedMail(email, settings.publicUrl));
    return { userId, passwordHash };
  });
  outbox.wake();
  return changed;
}

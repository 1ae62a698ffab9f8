import { users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { enqueueEmail } from '../../email/outbox.ts';
import { findRecentSession, type SessionRefusal } from '../sessions/live-session.ts';
import { type Authenticated, deleteSessionsOf, type SignedIn } from '../sessions/sessions.ts';
import { endEmailTokens } from '../sign-in/email-tokens.ts';
import type { Deps } from './deps.ts';
import { passwordChangedEmail } from './emails.ts';

/**
 * Ends all sessions, including the caller's, and all emailed links (OWASP Session Management Cheat
 * Sheet), and notifies the owner.
 */
export async function changePassword(
  { db, clock, outbox, passwords, settings }: Deps,
  user: SignedIn,
  password: string,
): Promise<Authenticated | SessionRefusal> {
  const requestedAt = clock.now();
  const { id, email: address, passwordHash: old } = users;
  const owner = db
    .select({ email: address, passwordHash: old })
    .from(users)
    .where(eq(id, user.userId))
    .get();
  // With the same salt: strangers' sign-ups with this address must not reveal that it has changed.
  const passwordHash = await passwords.hash(password, owner);
  const changed = await writeTransaction(db, (tx) => {
    const now = clock.now();
    // As of the request, because the hash may have been queued for a while.
    const session = findRecentSession(tx, user, requestedAt);
    if ('refused' in session) return session;
    const { userId, email } = session;
    tx.update(users).set({ passwordHash }).where(eq(users.id, userId)).run();
    endEmailTokens(tx, userId, now);
    deleteSessionsOf(tx, userId);
    enqueueEmail(tx, now, passwordChangedEmail(email, settings.publicUrl));
    return { userId, passwordHash };
  });
  outbox.wake();
  return changed;
}

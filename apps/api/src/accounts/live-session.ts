import type { Transaction } from '@app/db/open';
import { sessions, users } from '@app/db/schema/accounts';
import { and, eq, gt } from 'drizzle-orm';
import type { SignedIn } from './sessions.ts';

/** Whose session it is, as of now. */
export type SessionUser = Omit<SignedIn, 'renewed'>;

/**
 * The user of a session that is still valid at this moment; null once it was ended, has expired,
 * or its account is gone. Between the first look at a request's cookie and its write lie its body
 * and often a password hash, so what a request may do is decided inside the transaction that does
 * it (CWE-367).
 */
export function findLiveSession(
  tx: Transaction,
  { session: { id } }: Pick<SignedIn, 'session'>,
  now: number,
): SessionUser | null {
  const row = tx
    .select({
      userId: users.id,
      email: users.email,
      role: users.role,
      signedInAt: sessions.signedInAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, now)))
    .get();
  if (!row) return null;
  const { signedInAt, ...user } = row;
  return { ...user, session: { id, signedInAt } };
}

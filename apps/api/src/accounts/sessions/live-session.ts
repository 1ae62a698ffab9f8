import { limits } from '@app/contract/limits';
import type { Transaction } from '@app/db/open';
import { sessions, users } from '@app/db/schema/accounts';
import { and, eq, gt } from 'drizzle-orm';
import type { SignedIn } from './sessions.ts';

export type SessionUser = Omit<SignedIn, 'renewed'>;

interface SessionReference {
  session: { id: string };
}

/**
 * Null if the session has ended. Transactions that write must call this, because time has passed
 * since the cookie was checked, for example while a password was hashed (CWE-367).
 */
export function findLiveSession(
  tx: Transaction,
  { session: { id } }: SessionReference,
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

/** How far in the future a sign-in may be, because the clock may have been set back. */
const clockTolerance = 60_000;

export function isRecentSignIn({ session }: Pick<SignedIn, 'session'>, now: number): boolean {
  const age = now - session.signedInAt;
  return age >= -clockTolerance && age < limits.recentSignIn;
}

export interface SessionRefusal {
  refused: 'not_signed_in' | 'sign_in_again';
}

export function findRecentSession(
  tx: Transaction,
  user: SessionReference,
  now: number,
): SessionUser | SessionRefusal {
  const session = findLiveSession(tx, user, now);
  if (!session) return { refused: 'not_signed_in' };
  return isRecentSignIn(session, now) ? session : { refused: 'sign_in_again' };
}

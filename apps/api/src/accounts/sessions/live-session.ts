import { limits } from '@app/contract/limits';
import type { Transaction } from '@app/db/open';
import { sessions, users } from '@app/db/schema/accounts';
import { and, eq, gt } from 'drizzle-orm';
import type { SignedIn } from './sessions.ts';

/** Whose session it is, as of now. */
export type SessionUser = Omit<SignedIn, 'renewed'>;

interface SessionReference {
  session: { id: string };
}

/**
 * The user of a session that is still valid at this moment; null once it was ended, has expired,
 * or its account is gone. Between the first look at a request's cookie and its write lie its body
 * and often a password hash, so what a request may do is decided inside the transaction that does
 * it (CWE-367).
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

/** How far a sign-in may lie in the future: clocks are set back by a little now and then. */
const clockTolerance = 60_000;

/** Whether somebody proved in the last ten minutes who they are, as changes of the account ask for. */
export function isRecentSignIn({ session }: Pick<SignedIn, 'session'>, now: number): boolean {
  const age = now - session.signedInAt;
  return age >= -clockTolerance && age < limits.recentSignIn;
}

/** The same for a change that asks for a recent sign-in; the refusal otherwise. */
export function findRecentSession(
  tx: Transaction,
  user: SessionReference,
  now: number,
): SessionUser | { refused: 'not_signed_in' | 'sign_in_again' } {
  const session = findLiveSession(tx, user, now);
  if (!session) return { refused: 'not_signed_in' };
  return isRecentSignIn(session, now) ? session : { refused: 'sign_in_again' };
}

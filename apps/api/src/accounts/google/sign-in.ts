import { profileChange } from '@app/contract/accounts/profile';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { emailTokens, identities, profiles, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { newId } from '../../tokens.ts';
import { isForbiddenName } from '../profile/staff-names.ts';
import { deleteSessionsOf } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import type { Person } from './provider.ts';

type GoogleSignIn =
  | { userId: string }
  /** A confirmed account with a password has the email. The user must enter the password first. */
  | { linkTo: string }
  | { refused: 'google_unverified' | 'google_other_account' };

/**
 * Finds the account of an identity. If its `sub` is not linked yet, the verified email decides:
 *
 * - No account: one is created, without a password.
 * - An unconfirmed account: the user takes it over, without the data of its creator (pre-hijacking:
 * Sudhodanan and Paverd, USENIX Security 2022).
 * - A confirmed account with a password: it is linked once the user has entered the password.
 * - A confirmed account without a password: the sign-in is refused.
 */
export const signInWithGoogle = ({ db, clock }: Deps, person: Person): Promise<GoogleSignIn> =>
  writeTransaction(db, (tx): GoogleSignIn => {
    const now = clock.now();
    const linked = accountOf(tx, person.subject);
    if (linked !== null) return { userId: linked };
    const { email } = person;
    if (email === null) return { refused: 'google_unverified' };
    const { id, emailConfirmedAt, passwordHash } = users;
    const account = tx
      .select({ id, emailConfirmedAt, passwordHash })
      .from(users)
      .where(eq(users.email, email))
      .get();
    if (account && account.emailConfirmedAt !== null) {
      return account.passwordHash === null
        ? { refused: 'google_other_account' }
        : { linkTo: account.id };
    }
    const userId = account
      ? claimUnconfirmedAccount(tx, account.id, now)
      : createAccount(tx, email, now);
    tx.insert(profiles)
      .values({ id: userId, fullName: fullNameOf(tx, person), updatedAt: now })
      .run();
    tx.insert(identities)
      .values({ provider: 'google', subject: person.subject, userId, createdAt: now })
      .run();
    return { userId };
  });

export const isLinkedTo = ({ db }: Deps, { subject }: Person, userId: string): boolean =>
  accountOf(db, subject) === userId;

function accountOf(db: DatabaseOrTransaction, subject: string): string | null {
  const identity = db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.provider, 'google'), eq(identities.subject, subject)))
    .get();
  return identity?.userId ?? null;
}

function createAccount(tx: Transaction, email: string, now: number): string {
  const id = newId();
  tx.insert(users).values({ id, email, emailConfirmedAt: now, createdAt: now }).run();
  return id;
}

/** Deletes everything that an unconfirmed account contains, and confirms it. */
function claimUnconfirmedAccount(tx: Transaction, userId: string, now: number): string {
  tx.delete(emailTokens).where(eq(emailTokens.userId, userId)).run();
  deleteSessionsOf(tx, userId);
  tx.delete(profiles).where(eq(profiles.id, userId)).run();
  tx.update(users)
    .set({ emailConfirmedAt: now, passwordHash: null })
    .where(eq(users.id, userId))
    .run();
  return userId;
}

/** Null unless the provider's name is valid and allowed here. */
function fullNameOf(tx: Transaction, { name }: Person): string | null {
  const checked = v.safeParse(profileChange, { fullName: name });
  const fullName = checked.success ? (checked.output.fullName ?? null) : null;
  return fullName !== null && isForbiddenName(tx, fullName, 'member') ? null : fullName;
}

import { profileChange } from '@app/contract/accounts/profile';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { emailTokens, identities, profiles, sessions, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { newId } from '../../tokens.ts';
import { isForbiddenName } from '../profile/staff-names.ts';
import type { Deps } from './deps.ts';
import type { Person } from './provider.ts';

/** Somebody whose address the provider has verified. */
export type VerifiedPerson = Person & { email: string };

export type GoogleSignIn =
  | { userId: string }
  /** A confirmed account has the address, and a password: whose it is, that has to prove. */
  | { linkTo: string }
  | { refused: 'other_google_account' };

/**
 * Which account somebody signs in to. Theirs is the one that their `sub` is linked to, whatever
 * their address has become. Otherwise the address decides, which the provider has verified:
 *
 * - No account has it: one is made, without a password.
 * - An account that nobody confirmed has it: whoever made that has not shown that the address is
 *   theirs, so it goes over to the one who has, and nothing of the other's is left in it
 *   (pre-hijacking: Sudhodanan and Paverd, USENIX Security 2022).
 * - A confirmed account has it: nothing is linked without its password.
 */
export const signInWithGoogle = (
  { db, clock }: Deps,
  person: VerifiedPerson,
): Promise<GoogleSignIn> =>
  writeTransaction(db, (tx): GoogleSignIn => {
    const now = clock.now();
    const linked = accountOf(tx, person.subject);
    if (linked !== null) return { userId: linked };
    const { id, emailConfirmedAt, passwordHash } = users;
    const account = tx
      .select({ id, emailConfirmedAt, passwordHash })
      .from(users)
      .where(eq(users.email, person.email))
      .get();
    if (account && account.emailConfirmedAt !== null) {
      return account.passwordHash === null
        ? { refused: 'other_google_account' }
        : { linkTo: account.id };
    }
    const userId = account
      ? claimUnconfirmedAccount(tx, account.id, now)
      : createAccount(tx, person.email, now);
    tx.insert(profiles)
      .values({ id: userId, fullName: fullNameOf(tx, person), updatedAt: now })
      .run();
    tx.insert(identities)
      .values({ provider: 'google', subject: person.subject, userId, createdAt: now })
      .run();
    return { userId };
  });

/** Whether the person is one of those whom the account is linked to. */
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

/** Takes everything out of an account that nobody confirmed, and confirms it. */
function claimUnconfirmedAccount(tx: Transaction, userId: string, now: number): string {
  tx.delete(emailTokens).where(eq(emailTokens.userId, userId)).run();
  tx.delete(sessions).where(eq(sessions.userId, userId)).run();
  tx.delete(profiles).where(eq(profiles.id, userId)).run();
  tx.update(users)
    .set({ emailConfirmedAt: now, passwordHash: null })
    .where(eq(users.id, userId))
    .run();
  return userId;
}

/** The name that the provider knows, where that is one by our own rules. */
function fullNameOf(tx: Transaction, { name }: Person): string | null {
  const checked = v.safeParse(profileChange, { fullName: name });
  const fullName = checked.success ? (checked.output.fullName ?? null) : null;
  return fullName !== null && isForbiddenName(tx, fullName, 'member') ? null : fullName;
}

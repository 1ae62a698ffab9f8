import { profileChange } from '@app/contract/profile';
import { atomic } from '@app/db/atomic';
import type { Database } from '@app/db/open';
import { emailTokens, identities, profiles, sessions, users } from '@app/db/schema/accounts';
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import * as v from 'valibot';
import type { Deps } from '../deps.ts';
import { newId } from '../tokens.ts';
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
export async function signInWithGoogle(deps: Deps, person: VerifiedPerson): Promise<GoogleSignIn> {
  const { db } = deps;
  const linked = await accountOf(db, person.subject);
  if (linked !== null) return { userId: linked };

  const [account] = await db
    .select({
      id: users.id,
      emailConfirmedAt: users.emailConfirmedAt,
      passwordHash: users.passwordHash,
    })
    .from(users)
    .where(eq(users.email, person.email));
  if (account && account.emailConfirmedAt !== null) {
    return account.passwordHash === null
      ? { refused: 'other_google_account' }
      : { linkTo: account.id };
  }
  const userId = await (account ? takeOver(deps, person) : makeAccount(deps, person));
  // Another request was faster: what it made is looked at from the beginning.
  return userId === null ? signInWithGoogle(deps, person) : { userId };
}

/** Whether the person is one of those whom the account is linked to. */
export const isLinkedTo = async ({ db }: Deps, { subject }: Person, userId: string) =>
  (await accountOf(db, subject)) === userId;

async function accountOf(db: Database, subject: string): Promise<string | null> {
  const [identity] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.provider, 'google'), eq(identities.subject, subject)));
  return identity?.userId ?? null;
}

/** Null when an account with the address was made in the meantime. */
async function makeAccount(deps: Deps, person: VerifiedPerson): Promise<string | null> {
  const { db, clock } = deps;
  const id = newId();
  const now = clock.now();
  const [, , made] = await atomic(db, [
    db
      .insert(users)
      .values({ id, email: person.email, emailConfirmedAt: now, createdAt: now })
      .onConflictDoNothing(),
    insertProfile(deps, person, eq(users.id, id)),
    insertIdentity(deps, person, eq(users.id, id)),
  ]);
  return made[0]?.userId ?? null;
}

/** Null when the account was confirmed in the meantime. */
async function takeOver(deps: Deps, person: VerifiedPerson): Promise<string | null> {
  const { db, clock } = deps;
  const isUnconfirmed = and(eq(users.email, person.email), isNull(users.emailConfirmedAt));
  const account = db.select({ id: users.id }).from(users).where(isUnconfirmed);
  const [taken] = await atomic(db, [
    insertIdentity(deps, person, isUnconfirmed),
    db.delete(emailTokens).where(inArray(emailTokens.userId, account)),
    db.delete(sessions).where(inArray(sessions.userId, account)),
    db.delete(profiles).where(inArray(profiles.id, account)),
    insertProfile(deps, person, isUnconfirmed),
    db
      .update(users)
      .set({ emailConfirmedAt: clock.now(), passwordHash: null })
      .where(isUnconfirmed),
  ]);
  return taken[0]?.userId ?? null;
}

const insertIdentity = ({ db, clock }: Deps, { subject }: Person, account: SQL | undefined) =>
  db
    .insert(identities)
    .select(
      db
        .select({
          provider: sql<'google'>`'google'`.as('provider'),
          subject: sql<string>`${subject}`.as('subject'),
          userId: users.id,
          createdAt: sql<number>`${clock.now()}`.as('created_at'),
        })
        .from(users)
        .where(account),
    )
    .returning({ userId: identities.userId });

/** With the name that the provider knows, where that is one by our own rule. */
function insertProfile({ db, clock }: Deps, { name }: Person, account: SQL | undefined) {
  const checked = v.safeParse(profileChange, { fullName: name });
  const fullName = checked.success ? (checked.output.fullName ?? null) : null;
  return db.insert(profiles).select(
    db
      .select({
        id: users.id,
        username: sql<null>`null`.as('username'),
        usernameKey: sql<null>`null`.as('username_key'),
        fullName: sql<string | null>`${fullName}`.as('full_name'),
        avatarUrl: sql<null>`null`.as('avatar_url'),
        updatedAt: sql<number>`${clock.now()}`.as('updated_at'),
      })
      .from(users)
      .where(account),
  );
}

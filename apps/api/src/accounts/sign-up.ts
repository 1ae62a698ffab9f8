import type { Credentials } from '@app/contract/accounts';
import { atomic } from '@app/db/atomic';
import { emailTokens, profiles, users } from '@app/db/schema/accounts';
import { and, eq, exists, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { insertMail, insertMailIf } from '../mail/outbox.ts';
import { newId } from '../tokens.ts';
import { decoyWrite, newLink } from './email-tokens.ts';
import { alreadyRegisteredMail, confirmationMail, signUpAgainMail } from './emails.ts';

/** How long a confirmation link works. */
const linkLifetime = 24 * 60 * 60 * 1_000;

/**
 * Makes an account that its owner has yet to confirm. Does the same work, one hash and one
 * commit, and tells the caller nothing, whether the address is known or not (OWASP
 * Authentication Cheat Sheet, "Account enumeration"): what differs is the mail.
 *
 * The password belongs to the link that is mailed for it. So of several sign-ups
 * with one address, the one whose link its owner follows decides.
 */
export async function signUp(deps: Deps, { email, password }: Credentials): Promise<void> {
  const { db, clock, outbox, passwords, settings } = deps;
  const passwordHash = await passwords.hash(password);
  const now = clock.now();
  const isWaiting = and(eq(users.email, email), isNull(users.emailConfirmedAt));
  const isConfirmed = and(eq(users.email, email), isNotNull(users.emailConfirmedAt));
  const { token, insertToken } = newLink(deps, {
    purpose: 'confirm',
    account: isWaiting,
    lifetime: linkLifetime,
    passwordHash,
  });
  const profile = db
    .select({
      id: users.id,
      username: sql<string | null>`null`.as('username'),
      usernameKey: sql<string | null>`null`.as('username_key'),
      fullName: sql<string | null>`null`.as('full_name'),
      avatarUrl: sql<string | null>`null`.as('avatar_url'),
      updatedAt: sql<number>`${now}`.as('updated_at'),
    })
    .from(users)
    .where(isWaiting);
  const isThere = (account: typeof isWaiting) =>
    exists(db.select({ id: users.id }).from(users).where(account));
  await atomic(db, [
    db
      .insert(users)
      .values({ id: newId(), email, passwordHash, createdAt: now })
      .onConflictDoNothing(),
    db.update(users).set({ passwordHash }).where(isWaiting),
    db.insert(profiles).select(profile).onConflictDoNothing(),
    insertToken,
    insertMailIf(db, now, confirmationMail(email, settings.publicUrl, token), isThere(isWaiting)),
    insertMailIf(db, now, alreadyRegisteredMail(email, settings.publicUrl), isThere(isConfirmed)),
  ]);
  outbox.wake();
}

/**
 * Mails a new link to somebody who waits for one; does nothing, in silence and in the same
 * time, for anybody else. The link confirms the password of the sign-up. When there were
 * several with this address, nobody can tell whose turn it is, and one of them may
 * be a stranger's: then the mail asks to sign up again.
 */
export async function resendConfirmation(deps: Deps, email: string): Promise<void> {
  const { db, clock, outbox, settings } = deps;
  const isWaiting = and(eq(users.email, email), isNull(users.emailConfirmedAt));
  const signUps = await db
    .selectDistinct({ passwordHash: emailTokens.passwordHash })
    .from(users)
    .innerJoin(emailTokens, eq(emailTokens.userId, users.id))
    .where(and(isWaiting, eq(emailTokens.purpose, 'confirm')));
  const [signUp] = signUps;
  const now = clock.now();
  if (signUp === undefined) {
    await atomic(db, [decoyWrite(db)]);
  } else if (signUps.length > 1) {
    await atomic(db, [insertMail(db, now, signUpAgainMail(email, settings.publicUrl))]);
  } else {
    const { token, insertToken } = newLink(deps, {
      purpose: 'confirm',
      account: isWaiting,
      lifetime: linkLifetime,
      ...signUp,
    });
    await atomic(db, [
      insertToken,
      insertMail(db, now, confirmationMail(email, settings.publicUrl, token)),
    ]);
  }
  outbox.wake();
}

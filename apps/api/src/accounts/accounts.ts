import type { Credentials } from '@app/contract/accounts';
import { atomic } from '@app/db/atomic';
import { emailTokens, profiles, users } from '@app/db/schema/accounts';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { insertMail } from '../mail/outbox.ts';
import { hashToken, newId, newToken } from '../tokens.ts';
import { alreadyRegisteredMail, confirmationMail, signUpAgainMail } from './emails.ts';

/** How long a confirmation link works. */
const linkLifetime = 24 * 60 * 60 * 1_000;

/**
 * Makes an account that its owner has yet to confirm. Does the same work and
 * tells the caller nothing, whether the address is known or not (OWASP
 * Authentication Cheat Sheet, "Account enumeration"): what differs is the mail.
 *
 * The password belongs to the link that is mailed for it. So of several sign-ups
 * with one address, the one whose link its owner follows decides.
 */
export async function signUp(deps: Deps, { email, password }: Credentials): Promise<void> {
  const { db, clock, outbox, passwords } = deps;
  const passwordHash = await passwords.hash(password);
  const now = clock.now();
  await db
    .insert(users)
    .values({ id: newId(), email, passwordHash, createdAt: now })
    .onConflictDoNothing();
  const [user] = await db.select().from(users).where(eq(users.email, email));
  if (!user) throw new Error('the account is gone right after it was made');

  if (user.emailConfirmedAt !== null) {
    await insertMail(db, now, alreadyRegisteredMail(email, deps.settings.publicUrl));
  } else {
    const { token, insertToken } = confirmationToken(deps, user.id, passwordHash);
    await atomic(db, [
      db
        .update(users)
        .set({ passwordHash })
        .where(and(eq(users.id, user.id), isNull(users.emailConfirmedAt))),
      db.insert(profiles).values({ id: user.id, updatedAt: now }).onConflictDoNothing(),
      insertToken,
      insertMail(db, now, confirmationMail(email, deps.settings.publicUrl, token)),
    ]);
  }
  outbox.wake();
}

/**
 * Mails a new link to somebody who waits for one; does nothing, in silence, for
 * anybody else. The link confirms the password of the sign-up. When there were
 * several with this address, nobody can tell whose turn it is, and one of them may
 * be a stranger's: then the mail asks to sign up again.
 */
export async function resendConfirmation(deps: Deps, email: string): Promise<void> {
  const { db, clock, outbox, settings } = deps;
  const signUps = await db
    .selectDistinct({ userId: users.id, passwordHash: emailTokens.passwordHash })
    .from(users)
    .innerJoin(emailTokens, eq(emailTokens.userId, users.id))
    .where(and(eq(users.email, email), isNull(users.emailConfirmedAt)));
  const [signUp] = signUps;
  if (!signUp) return;

  const now = clock.now();
  if (signUps.length > 1) {
    await insertMail(db, now, signUpAgainMail(email, settings.publicUrl));
  } else {
    const { token, insertToken } = confirmationToken(deps, signUp.userId, signUp.passwordHash);
    await atomic(db, [
      insertToken,
      insertMail(db, now, confirmationMail(email, settings.publicUrl, token)),
    ]);
  }
  outbox.wake();
}

function confirmationToken(
  { db, clock }: Deps,
  userId: string,
  passwordHash: string | null,
): { token: string; insertToken: ReturnType<typeof insert> } {
  const token = newToken();
  const now = clock.now();
  const insert = () =>
    db.insert(emailTokens).values({
      tokenHash: hashToken(token),
      purpose: 'confirm',
      userId,
      passwordHash,
      expiresAt: now + linkLifetime,
      createdAt: now,
    });
  return { token, insertToken: insert() };
}

/** A link that no longer works, or never did: the address it was mailed to, if it was ours. */
export interface DeadLink {
  deadLinkOf: string | null;
}

/**
 * Confirms the address that the link was mailed to. Of several uses at once one
 * wins: it takes the link, and all others of that account, in the same commit.
 * A dead link tells whose it was, if it was ever ours.
 */
export async function confirmEmail(
  { db, clock }: Deps,
  token: string,
): Promise<{ userId: string } | DeadLink> {
  const now = clock.now();
  const tokenHash = hashToken(token);
  const isAlive = and(
    eq(emailTokens.tokenHash, tokenHash),
    eq(emailTokens.purpose, 'confirm'),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, now),
  );
  const ownerOfLink = db.select({ id: emailTokens.userId }).from(emailTokens).where(isAlive);
  const passwordOfLink = db
    .select({ hash: emailTokens.passwordHash })
    .from(emailTokens)
    .where(isAlive);
  const [confirmed] = await atomic(db, [
    db
      .update(users)
      .set({ emailConfirmedAt: now, passwordHash: sql`(${passwordOfLink})` })
      .where(eq(users.id, sql`(${ownerOfLink})`))
      .returning({ userId: users.id }),
    db
      .update(emailTokens)
      .set({ usedAt: now })
      .where(eq(emailTokens.userId, sql`(${ownerOfLink})`)),
  ]);
  if (confirmed[0]) return confirmed[0];
  return { deadLinkOf: await emailOfLink(db, tokenHash) };
}

/** What is wrong with a link before anybody presses its button; null for one that works. Looking does not use it up. */
export async function findDeadLink({ db, clock }: Deps, token: string): Promise<DeadLink | null> {
  const tokenHash = hashToken(token);
  const [link] = await db
    .select({ usedAt: emailTokens.usedAt, expiresAt: emailTokens.expiresAt })
    .from(emailTokens)
    .where(and(eq(emailTokens.tokenHash, tokenHash), eq(emailTokens.purpose, 'confirm')));
  if (link && link.usedAt === null && link.expiresAt > clock.now()) return null;
  return { deadLinkOf: await emailOfLink(db, tokenHash) };
}

async function emailOfLink(db: Deps['db'], tokenHash: string): Promise<string | null> {
  const [row] = await db
    .select({ email: users.email })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(eq(emailTokens.tokenHash, tokenHash));
  return row?.email ?? null;
}

export type SignIn =
  | { userId: string }
  | { refused: 'invalid_credentials' | 'email_not_confirmed' };

/** Compares the password in the same time whether the account exists or not. */
export async function signIn(
  { db, passwords }: Deps,
  { email, password }: Credentials,
): Promise<SignIn> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  const matches = await passwords.verify(user?.passwordHash ?? null, password);
  if (!user || !matches) return { refused: 'invalid_credentials' };
  if (user.emailConfirmedAt === null) return { refused: 'email_not_confirmed' };
  return { userId: user.id };
}

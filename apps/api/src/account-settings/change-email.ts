import { atomic } from '@app/db/atomic';
import { emailTokens, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { and, eq, exists, isNotNull, isNull, ne, notExists, sql } from 'drizzle-orm';
import { isAlive } from '../accounts/email-tokens.ts';
import { emailChangedMail, emailChangeMail } from '../accounts/emails.ts';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { insertMail, insertMailIf } from '../mail/outbox.ts';
import { hashToken, newToken } from '../tokens.ts';
import { addressTakenMail } from './emails.ts';
import { endMailedLinks } from './mailed-links.ts';

/** How long the link to the new address works. */
const linkHours = 24;
const hour = 60 * 60 * 1_000;

/**
 * Mails a link to the address that somebody wants to have; the newest one is the one that works.
 * Where the address has an account already, its owner is told instead, and the caller learns
 * nothing of it: the same rows are written either way (OWASP, "Account enumeration").
 */
export async function startEmailChange(
  { db, clock, outbox, settings: { publicUrl } }: Deps,
  { userId }: SignedIn,
  newEmail: string,
): Promise<void> {
  const now = clock.now();
  const token = newToken();
  const [owner] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, newEmail), isNotNull(users.emailConfirmedAt)));
  const link = `${publicUrl}/auth/change-email?token=${token}`;
  const mail = owner
    ? addressTakenMail(newEmail, publicUrl)
    : emailChangeMail(newEmail, link, linkHours);
  await atomic(db, [
    endMailedLinks(db, userId, now, eq(emailTokens.purpose, 'change-email')),
    db.insert(emailTokens).values({
      tokenHash: hashToken(token),
      purpose: 'change-email',
      userId,
      newEmail,
      expiresAt: now + linkHours * hour,
      createdAt: now,
    }),
    insertMail(db, now, mail),
  ]);
  outbox.wake();
}

/** What a link would change; null when it is dead. Looking does not use it up. */
export async function findEmailChange(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<{ userId: string; oldEmail: string; newEmail: string } | null> {
  const [link] = await db
    .select({ userId: users.id, oldEmail: users.email, newEmail: emailTokens.newEmail })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(isAlive(hashToken(token), 'change-email', clock.now()));
  return link && link.newEmail !== null ? { ...link, newEmail: link.newEmail } : null;
}

/**
 * Gives the account the address that the link was mailed to, and tells the old one. Of several
 * uses at once one wins. Null when the link is dead, or the address has another owner by now.
 *
 * A sign-up with that address which nobody confirmed gives way: whoever has the link has shown
 * that the address is theirs. Of both at once, the first to be confirmed wins.
 */
export async function changeEmail(
  deps: Pick<Deps, 'db' | 'clock' | 'outbox'>,
  token: string,
): Promise<{ userId: string } | null> {
  const { db, clock, outbox } = deps;
  const change = await findEmailChange(deps, token);
  if (!change) return null;
  const { userId, oldEmail, newEmail } = change;
  const now = clock.now();
  const linkWorks = exists(
    db
      .select({ one: sql`1` })
      .from(emailTokens)
      .where(isAlive(hashToken(token), 'change-email', now)),
  );
  const isOthers = and(eq(users.email, newEmail), ne(users.id, userId));
  const isFree = notExists(db.select({ one: sql`1` }).from(users).where(isOthers));
  const condition = sql`(${linkWorks} and ${isFree})`;
  const [, changed] = await atomic(db, [
    db.delete(users).where(and(isOthers, isNull(users.emailConfirmedAt), linkWorks)),
    db
      .update(users)
      .set({ email: newEmail })
      .where(and(eq(users.id, userId), condition))
      .returning({ userId: users.id }),
    db
      .update(blogPosts)
      .set({ authorEmail: newEmail })
      .where(and(eq(blogPosts.authorId, userId), condition)),
    insertMailIf(db, now, emailChangedMail(oldEmail, newEmail), condition),
    // The last one: the others ask for the link.
    endMailedLinks(db, userId, now, condition),
  ]);
  outbox.wake();
  return changed[0] ?? null;
}

import { atomic } from '@app/db/atomic';
import { identities, pendingLinks, users } from '@app/db/schema/accounts';
import { and, eq, exists, gt, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { insertMailIf } from '../mail/outbox.ts';
import { hashToken, newToken } from '../tokens.ts';
import { googleLinkedMail } from './emails.ts';
import type { Person } from './provider.ts';

/** How long somebody has to prove with a password that the account is theirs. */
export const linkLifetime = 10 * 60 * 1_000;

/** Keeps in mind whom to link to the account once that is proven; gives the token for their browser. */
export async function waitForProof(
  { db, clock }: Deps,
  { subject }: Person,
  userId: string,
): Promise<string> {
  const token = newToken();
  await db.insert(pendingLinks).values({
    tokenHash: hashToken(token),
    provider: 'google',
    subject,
    userId,
    expiresAt: clock.now() + linkLifetime,
  });
  return token;
}

/**
 * Links whom the browser's token stands for to the account that was signed in to, if that is the
 * account it waits for; its owner is told. False where there is nothing to link.
 */
export async function takePendingLink(
  { db, clock, outbox, settings }: Deps,
  token: string,
  userId: string,
): Promise<boolean> {
  const now = clock.now();
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) return false;
  const isTheirs = and(
    eq(pendingLinks.tokenHash, hashToken(token)),
    eq(pendingLinks.userId, userId),
    gt(pendingLinks.expiresAt, now),
  );
  const isLinked = exists(
    db
      .select({ userId: identities.userId })
      .from(identities)
      .innerJoin(pendingLinks, eq(pendingLinks.subject, identities.subject))
      .where(and(isTheirs, eq(identities.userId, userId))),
  );
  const [linked] = await atomic(db, [
    db
      .insert(identities)
      .select(
        db
          .select({
            provider: pendingLinks.provider,
            subject: pendingLinks.subject,
            userId: pendingLinks.userId,
            createdAt: sql<number>`${now}`.as('created_at'),
          })
          .from(pendingLinks)
          .where(isTheirs),
      )
      .onConflictDoNothing()
      .returning({ userId: identities.userId }),
    insertMailIf(db, now, googleLinkedMail(user.email, settings.publicUrl), isLinked),
    db.delete(pendingLinks).where(isTheirs),
  ]);
  outbox.wake();
  return linked.length > 0;
}

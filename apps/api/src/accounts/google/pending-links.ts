import { identities, pendingIdentityLinks } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, gt, lte } from 'drizzle-orm';
import { enqueueMail } from '../../email/outbox.ts';
import { hashToken, newToken } from '../../tokens.ts';
import { findLiveSession } from '../sessions/live-session.ts';
import type { Deps } from './deps.ts';
import { googleLinkedMail } from './emails.ts';
import type { Person } from './provider.ts';

/** How long somebody has to prove with a password that the account is theirs. */
export const linkLifetime = 10 * 60 * 1_000;

/** Keeps in mind whom to link to the account once that is proven; gives the token for their browser. */
export async function createPendingLink(
  { db, clock }: Deps,
  { subject }: Person,
  userId: string,
): Promise<string> {
  const token = newToken();
  const expiresAt = clock.now() + linkLifetime;
  await writeTransaction(db, (tx) =>
    tx
      .insert(pendingIdentityLinks)
      .values({ tokenHash: hashToken(token), provider: 'google', subject, userId, expiresAt })
      .run(),
  );
  return token;
}

/**
 * Links whom the browser's token stands for to the account that was signed in to, if that is the
 * account it waits for; its owner is told. False where there is nothing to link.
 * @param started the session that the proof has begun
 */
export async function completePendingLink(
  { db, clock, outbox, settings }: Deps,
  token: string,
  started: { session: { id: string } },
): Promise<boolean> {
  const isLinked = await writeTransaction(db, (tx) => {
    const now = clock.now();
    const user = findLiveSession(tx, started, now);
    if (!user) return false;
    const isPending = and(
      eq(pendingIdentityLinks.tokenHash, hashToken(token)),
      eq(pendingIdentityLinks.userId, user.userId),
    );
    const pending = tx
      .select()
      .from(pendingIdentityLinks)
      .where(
        and(
          isPending,
          gt(pendingIdentityLinks.expiresAt, now),
          // One that is further away comes from a clock that was set back since.
          lte(pendingIdentityLinks.expiresAt, now + 2 * linkLifetime),
        ),
      )
      .get();
    tx.delete(pendingIdentityLinks).where(isPending).run();
    if (!pending) return false;
    const { provider, subject, userId } = pending;
    const { changes } = tx
      .insert(identities)
      .values({ provider, subject, userId, createdAt: now })
      .onConflictDoNothing()
      .run();
    if (changes === 0) return false;
    enqueueMail(tx, now, googleLinkedMail(user.email, settings.publicUrl));
    return true;
  });
  outbox.wake();
  return isLinked;
}

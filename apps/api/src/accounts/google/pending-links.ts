import { identities, pendingIdentityLinks } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, gt, lte } from 'drizzle-orm';
import { enqueueEmail } from '../../email/outbox.ts';
import { hashToken, newToken } from '../../tokens.ts';
import { findLiveSession } from '../sessions/live-session.ts';
import type { Deps } from './deps.ts';
import { googleLinkedEmail } from './emails.ts';
import type { Person } from './provider.ts';

export const linkLifetime = 10 * 60 * 1_000;

/**
 * Stores an identity that is linked once the user has proved that the account is theirs.
 * @returns the token for the browser
 */
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
 * Links the token's identity to the account of the session that just started, if it was meant for
 * that account, and notifies the owner.
 * @returns whether it was linked
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
          // More time left than possible: the clock was set back.
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
    enqueueEmail(tx, now, googleLinkedEmail(user.email, settings.publicUrl));
    return true;
  });
  outbox.wake();
  return isLinked;
}

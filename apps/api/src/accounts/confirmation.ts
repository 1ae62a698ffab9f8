import { atomic } from '@app/db/atomic';
import { emailTokens, users } from '@app/db/schema/accounts';
import { and, eq, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { hashToken } from '../tokens.ts';
import { isAlive, ownerOfLink, useUpLinks } from './email-tokens.ts';

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
  const owner = ownerOfLink(db, tokenHash, 'confirm', now);
  const passwordOfLink = db
    .select({ hash: emailTokens.passwordHash })
    .from(emailTokens)
    .where(isAlive(tokenHash, 'confirm', now));
  const [confirmed] = await atomic(db, [
    db
      .update(users)
      .set({ emailConfirmedAt: now, passwordHash: sql`(${passwordOfLink})` })
      .where(eq(users.id, owner))
      .returning({ userId: users.id }),
    useUpLinks(db, owner, now),
  ]);
  return confirmed[0] ?? { deadLinkOf: await emailOfLink(db, tokenHash) };
}

/** What is wrong with a link before anybody presses its button; null for one that works. Looking does not use it up. */
export async function findDeadLink({ db, clock }: Deps, token: string): Promise<DeadLink | null> {
  const tokenHash = hashToken(token);
  const alive = await db
    .select({ userId: emailTokens.userId })
    .from(emailTokens)
    .where(isAlive(tokenHash, 'confirm', clock.now()));
  return alive.length > 0 ? null : { deadLinkOf: await emailOfLink(db, tokenHash) };
}

/** Not of links that were mailed for something else: those lead elsewhere. */
async function emailOfLink(db: Deps['db'], tokenHash: string): Promise<string | null> {
  const [row] = await db
    .select({ email: users.email })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(and(eq(emailTokens.tokenHash, tokenHash), eq(emailTokens.purpose, 'confirm')));
  return row?.email ?? null;
}

import type { DatabaseOrTransaction } from '@app/db/open';
import { emailTokens, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq } from 'drizzle-orm';
import { hashToken } from '../../tokens.ts';
import type { Authenticated } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { endEmailTokens, findEmailToken } from './email-tokens.ts';

/** A link that no longer works, or never did: the address it was mailed to, if it was ours. */
export interface DeadLink {
  deadLinkOf: string | null;
}

/**
 * Confirms the address that the link was mailed to. Of several uses at once one
 * wins: it takes the link, and all others of that account, in the same commit.
 * A dead link tells whose it was, if it was ever ours.
 */
export const confirmEmail = (
  { db, clock }: Deps,
  token: string,
): Promise<Authenticated | DeadLink> =>
  writeTransaction(db, (tx): Authenticated | DeadLink => {
    const now = clock.now();
    const link = findEmailToken(tx, token, 'confirm', now);
    if (!link) return { deadLinkOf: emailOfLink(tx, token) };
    const { userId, passwordHash } = link;
    tx.update(users).set({ emailConfirmedAt: now, passwordHash }).where(eq(users.id, userId)).run();
    endEmailTokens(tx, userId, now);
    return { userId, passwordHash };
  });

/** What is wrong with a link before anybody presses its button; null for one that works. Looking does not use it up. */
export const findDeadLink = ({ db, clock }: Deps, token: string): DeadLink | null =>
  findEmailToken(db, token, 'confirm', clock.now()) ? null : { deadLinkOf: emailOfLink(db, token) };

/** Not of links that were mailed for something else: those lead elsewhere. */
function emailOfLink(db: DatabaseOrTransaction, token: string): string | null {
  const row = db
    .select({ email: users.email })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(and(eq(emailTokens.tokenHash, hashToken(token)), eq(emailTokens.purpose, 'confirm')))
    .get();
  return row?.email ?? null;
}

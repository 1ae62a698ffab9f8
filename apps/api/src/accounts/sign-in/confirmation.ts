import type { DatabaseOrTransaction } from '@app/db/open';
import { emailTokens, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, isNull } from 'drizzle-orm';
import { hashToken } from '../../tokens.ts';
import type { Authenticated } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { endEmailTokens, findEmailToken } from './email-tokens.ts';

/** A link that does not work. */
export interface DeadLink {
  /** The address it was sent to, if that still waits for confirmation. */
  deadLinkOf: string | null;
}

/** Confirms the address, and ends all other links of the account. */
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

/** Null for a working link. Does not use up the link. */
export const findDeadLink = ({ db, clock }: Deps, token: string): DeadLink | null =>
  findEmailToken(db, token, 'confirm', clock.now()) ? null : { deadLinkOf: emailOfLink(db, token) };

function emailOfLink(db: DatabaseOrTransaction, token: string): string | null {
  const row = db
    .select({ email: users.email })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(
      and(
        eq(emailTokens.tokenHash, hashToken(token)),
        eq(emailTokens.purpose, 'confirm'),
        // A confirmed account may have another address now, which the link must not reveal.
        isNull(users.emailConfirmedAt),
      ),
    )
    .get();
  return row?.email ?? null;
}

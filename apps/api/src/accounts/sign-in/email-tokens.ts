import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { emailTokens } from '@app/db/schema/accounts';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { hashToken, newToken } from '../../tokens.ts';

const day = 24 * 60 * 60 * 1_000;

type TokenRow = typeof emailTokens.$inferSelect;
type Purpose = TokenRow['purpose'];

interface NewEmailToken {
  purpose: Purpose;
  userId: string;
  /** In milliseconds. */
  lifetime: number;
  /** The password that following the link makes the account's own, as its argon2id string. */
  passwordHash?: string | null;
  newEmail?: string;
  /** The session that the link dies with. */
  sessionId?: string;
}

/** Stores the hash of a new token for a mailed link; gives the token. */
export function issueEmailToken(
  tx: Transaction,
  { lifetime, ...row }: NewEmailToken,
  now: number,
): string {
  const token = newToken();
  tx.insert(emailTokens)
    .values({ ...row, tokenHash: hashToken(token), expiresAt: now + lifetime, createdAt: now })
    .run();
  return token;
}

/** What a link was mailed for; undefined when it was used, is too old, or never was. Looking does not use it up. */
export const findEmailToken = (
  db: DatabaseOrTransaction,
  token: string,
  purpose: Purpose,
  now: number,
): TokenRow | undefined =>
  db
    .select()
    .from(emailTokens)
    .where(
      and(
        eq(emailTokens.tokenHash, hashToken(token)),
        eq(emailTokens.purpose, purpose),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, now),
        // A link from tomorrow or later was mailed by a clock that was set back since.
        lt(emailTokens.createdAt, now + day),
      ),
    )
    .get();

/** Ends every link that was mailed to a user and not used yet; of one purpose, where that is given. */
export function endEmailTokens(
  tx: Transaction,
  userId: string,
  now: number,
  purpose?: Purpose,
): void {
  tx.update(emailTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailTokens.userId, userId),
        isNull(emailTokens.usedAt),
        purpose && eq(emailTokens.purpose, purpose),
      ),
    )
    .run();
}

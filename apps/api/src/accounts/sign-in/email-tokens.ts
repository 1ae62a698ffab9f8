import { day } from '@app/contract/durations';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { emailTokens } from '@app/db/schema/accounts';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { hashToken, newToken } from '../../tokens.ts';

type TokenRow = typeof emailTokens.$inferSelect;
type Purpose = TokenRow['purpose'];

interface NewEmailToken {
  purpose: Purpose;
  userId: string;
  /** In milliseconds. */
  lifetime: number;
  /** The password that the link confirms, as an argon2id string. */
  passwordHash?: string | null;
  newEmail?: string;
  /** The link works only as long as this session. */
  sessionId?: string;
}

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

/** The token's row if it is valid. Does not use it up. */
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
        // Later ones were created while the clock was ahead.
        lt(emailTokens.createdAt, now + day),
      ),
    )
    .get();

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

/** The password of each sign-up that awaits confirmation. */
export const passwordsToConfirm = (tx: Transaction, userId: string) =>
  tx
    .selectDistinct({ passwordHash: emailTokens.passwordHash })
    .from(emailTokens)
    .where(and(eq(emailTokens.userId, userId), eq(emailTokens.purpose, 'confirm')))
    .all();

import { day } from '@app/contract/durations';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { emailTokens, users } from '@app/db/schema/accounts';
import { and, eq, gt, isNull, lt, not } from 'drizzle-orm';
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

/**
 * Ends the links of an account. Sign-ups keep waiting without theirs: strangers may be among them, who
 * must not see what the owner does.
 */
export function endEmailTokens(
  tx: Transaction,
  userId: string,
  now: number,
  purpose?: Purpose,
): void {
  const isLive = and(
    eq(emailTokens.userId, userId),
    isNull(emailTokens.usedAt),
    purpose && eq(emailTokens.purpose, purpose),
  );
  const isSignUp = eq(emailTokens.purpose, 'confirm');
  tx.update(emailTokens)
    .set({ usedAt: now })
    .where(and(isLive, not(isSignUp)))
    .run();
  tx.update(emailTokens).set({ expiresAt: 0 }).where(and(isLive, isSignUp)).run();
}

/** A sign-up that awaits confirmation, even if its link has ended or was never sent. */
export const isSignUp = and(eq(emailTokens.purpose, 'confirm'), isNull(emailTokens.usedAt));

/** The different passwords of sign-ups. */
export const selectSignUps = (db: DatabaseOrTransaction) =>
  db
    .selectDistinct({ passwordHash: emailTokens.passwordHash })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId));

export const passwordsToConfirm = (tx: Transaction, userId: string) =>
  selectSignUps(tx)
    .where(and(isSignUp, eq(users.id, userId)))
    .all();

/**
 * Keeps sign-ups with this password as long as a new one.
 * @returns whether there are any
 */
export function renewSignUps(
  tx: Transaction,
  userId: string,
  passwordHash: string,
  now: number,
): boolean {
  const isSame = and(eq(emailTokens.userId, userId), eq(emailTokens.passwordHash, passwordHash));
  const renewed = tx.update(emailTokens).set({ createdAt: now }).where(and(isSignUp, isSame)).run();
  return renewed.changes > 0;
}

/** The password of these sign-ups is that of the account now. */
export function endSignUps(tx: Transaction, userId: string, now: number): void {
  const isOfUser = eq(emailTokens.userId, userId);
  tx.update(emailTokens).set({ usedAt: now }).where(and(isSignUp, isOfUser)).run();
}

import type { DatabaseOrTransaction } from '@app/db/open';
import { emailTokens, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq } from 'drizzle-orm';
import { hashToken } from '../../tokens.ts';
import type { Authenticated } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { endEmailTokens, endSignUps, findEmailToken, passwordsToConfirm } from './email-tokens.ts';
import { issueResetToken } from './password-reset.ts';

export interface DeadLink {
  /** The link's address; null if the token is unknown or the account has another address now. */
  deadLinkOf: string | null;
}

/** The password may be a stranger's, so the owner must choose a new one. */
interface PasswordNeeded {
  resetToken: string;
}

type Confirmation = Authenticated | DeadLink | PasswordNeeded;

/**
 * Confirms the address and the password of its sign-up, and ends the account's other links.
 *
 * If sign-ups chose different passwords, the owner has to choose another one, which confirms the
 * address: the emails of all sign-ups look the same, so the link may be a stranger's.
 */
export const confirmEmail = ({ db, clock }: Deps, token: string): Promise<Confirmation> =>
  writeTransaction(db, (tx): Confirmation => {
    const now = clock.now();
    const link = findEmailToken(tx, token, 'confirm', now);
    const user = link && tx.select().from(users).where(eq(users.id, link.userId)).get();
    // A sign-up never changes a confirmed account.
    if (!user || user.emailConfirmedAt !== null) return { deadLinkOf: emailOfLink(tx, token) };
    const { id: userId } = user;
    const [signUp, another] = passwordsToConfirm(tx, userId);
    endEmailTokens(tx, userId, now);
    if (!signUp || another) return { resetToken: issueResetToken(tx, userId, now) };
    endSignUps(tx, userId, now);
    tx.update(users)
      .set({ emailConfirmedAt: now, ...signUp })
      .where(eq(users.id, userId))
      .run();
    return { userId, ...signUp };
  });

/** Null if the link works. Does not use it up. */
export const findDeadLink = ({ db, clock }: Deps, token: string): DeadLink | null =>
  findEmailToken(db, token, 'confirm', clock.now()) ? null : { deadLinkOf: emailOfLink(db, token) };

function emailOfLink(db: DatabaseOrTransaction, token: string): string | null {
  const row = db
    .select({ email: users.email })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(and(eq(emailTokens.tokenHash, hashToken(token)), eq(emailTokens.purpose, 'confirm')))
    .get();
  return row?.email ?? null;
}

import type { DatabaseOrTransaction } from '@app/db/open';
import { emailTokens, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq } from 'drizzle-orm';
import { hashToken } from '../../tokens.ts';
import type { Authenticated } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { endEmailTokens, findEmailToken, passwordsToConfirm } from './email-tokens.ts';
import { issueResetToken } from './password-reset.ts';

export interface DeadLink {
  /** The link's address; null if the token is unknown or the account has another address now. */
  deadLinkOf: string | null;
}

/** The password may be a stranger's, so the owner must choose a new one. */
interface PasswordNeeded {
  resetToken: string;
}

/** What the sign-up cookie says about the browser that follows a link. */
interface SignUpBrowser {
  /** Whether it chose the password with this hash. */
  chose(passwordHash: string): boolean;
  signedUpAs(email: string): boolean;
}

type Confirmation = Authenticated | DeadLink | PasswordNeeded;

/**
 * Confirms the address with the link's password, and ends the account's other links.
 *
 * After several sign-ups, the owner may follow a stranger's link, whose email looks the same. So
 * the password counts only in the browser that chose it. The cookie of a browser that signed up
 * with another password proves a second sign-up, even if that one stored nothing.
 */
export const confirmEmail = (
  { db, clock }: Deps,
  token: string,
  browser: SignUpBrowser,
): Promise<Confirmation> =>
  writeTransaction(db, (tx): Confirmation => {
    const now = clock.now();
    const link = findEmailToken(tx, token, 'confirm', now);
    const email = emailOfLink(tx, token);
    if (!link || email === null) return { deadLinkOf: email };
    const { userId } = link;
    const isOwn =
      browser.chose(link.passwordHash ?? '') ||
      (passwordsToConfirm(tx, userId).length === 1 && !browser.signedUpAs(email));
    const passwordHash = isOwn ? link.passwordHash : null;
    tx.update(users).set({ emailConfirmedAt: now, passwordHash }).where(eq(users.id, userId)).run();
    endEmailTokens(tx, userId, now);
    return isOwn ? { userId, passwordHash } : { resetToken: issueResetToken(tx, userId, now) };
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

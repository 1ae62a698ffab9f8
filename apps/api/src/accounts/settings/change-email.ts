import { hour } from '@app/contract/durations';
import type { DatabaseOrTransaction } from '@app/db/open';
import { emailTokens, sessions, users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { enqueueEmail } from '../../email/outbox.ts';
import { findRecentSession, type SessionRefusal } from '../sessions/live-session.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { endEmailTokens, findEmailToken, issueEmailToken } from '../sign-in/email-tokens.ts';
import type { Deps } from './deps.ts';
import {
  addressTakenEmail,
  emailChangedEmail,
  emailChangeEmail,
  emailChangeRequestedEmail,
} from './emails.ts';

const linkHours = 24;

/**
 * Emails a link to the new address, which works only as long as this session. The old address gets
 * a link to cancel, so that a stolen session cannot take over the account unnoticed.
 *
 * If the new address has an account, its owner gets a different email. The same rows are written
 * either way (OWASP, "Account enumeration").
 */
export async function startEmailChange(
  { db, clock, outbox, settings: { publicUrl } }: Deps,
  user: SignedIn,
  newEmail: string,
): Promise<SessionRefusal | 'requested'> {
  const result = await writeTransaction(db, (tx) => {
    const now = clock.now();
    const session = findRecentSession(tx, user, now);
    if ('refused' in session) return session;
    const { userId, email } = session;
    endEmailTokens(tx, userId, now, 'change-email');
    const link = { userId, newEmail, lifetime: linkHours * hour };
    const token = issueEmailToken(
      tx,
      { ...link, purpose: 'change-email', sessionId: session.session.id },
      now,
    );
    const cancelToken = issueEmailToken(tx, { ...link, purpose: 'cancel-email-change' }, now);
    const cancelLink = `${publicUrl}/auth/cancel-email-change?token=${cancelToken}`;
    enqueueEmail(tx, now, emailChangeRequestedEmail(email, { newEmail, cancelLink }, linkHours));
    const owner = tx.select().from(users).where(eq(users.email, newEmail)).get();
    const isTaken = owner !== undefined && owner.emailConfirmedAt !== null;
    const changeLink = `${publicUrl}/auth/change-email?token=${token}`;
    const toNew = isTaken
      ? addressTakenEmail(newEmail, publicUrl)
      : emailChangeEmail(newEmail, changeLink, linkHours);
    enqueueEmail(tx, now, toNew);
    return 'requested';
  });
  outbox.wake();
  return result;
}

interface EmailChange {
  userId: string;
  oldEmail: string;
  newEmail: string;
}

/** Null if the link is invalid or its session has ended. Does not use up the link. */
export function findEmailChange(
  db: DatabaseOrTransaction,
  token: string,
  now: number,
): EmailChange | null {
  const link = findEmailToken(db, token, 'change-email', now);
  if (!link?.newEmail || !link.sessionId) return null;
  const owner = db
    .select({ userId: users.id, oldEmail: users.email })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, link.sessionId), gt(sessions.expiresAt, now)))
    .get();
  return owner ? { ...owner, newEmail: link.newEmail } : null;
}

/**
 * Changes the email and notifies the old address. Null if the link is invalid or the address is
 * taken. An unconfirmed account with that address is deleted: the link proves who owns it.
 */
export async function changeEmail(
  { db, clock, outbox }: Pick<Deps, 'db' | 'clock' | 'outbox'>,
  token: string,
): Promise<{ userId: string } | null> {
  const changed = await writeTransaction(db, (tx) => {
    const now = clock.now();
    const change = findEmailChange(tx, token, now);
    if (!change) return null;
    const { userId, oldEmail, newEmail } = change;
    const other = tx.select().from(users).where(eq(users.email, newEmail)).get();
    if (other && other.emailConfirmedAt !== null) return null;
    if (other) tx.delete(users).where(eq(users.id, other.id)).run();
    tx.update(users).set({ email: newEmail }).where(eq(users.id, userId)).run();
    endEmailTokens(tx, userId, now);
    // Canceling a later change must not end the session that made this one, and a used link to
    // confirm the old address must not reveal the new one.
    tx.delete(emailTokens)
      .where(
        and(
          eq(emailTokens.userId, userId),
          inArray(emailTokens.purpose, ['change-email', 'confirm']),
        ),
      )
      .run();
    enqueueEmail(tx, now, emailChangedEmail(oldEmail, newEmail));
    return { userId };
  });
  outbox.wake();
  return changed;
}

/** Does not use up the link. */
export function findEmailChangeToCancel(
  db: DatabaseOrTransaction,
  token: string,
  now: number,
): { newEmail: string } | null {
  const newEmail = findEmailToken(db, token, 'cancel-email-change', now)?.newEmail;
  return newEmail ? { newEmail } : null;
}

/**
 * Cancels all pending changes, and ends the sessions that requested them, because they are not the
 * owner's.
 * @returns false if the link is invalid, for example after the change
 */
export const cancelEmailChange = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<boolean> =>
  writeTransaction(db, (tx) => {
    const now = clock.now();
    const link = findEmailToken(tx, token, 'cancel-email-change', now);
    if (!link) return false;
    const { userId } = link;
    tx.delete(sessions)
      .where(
        inArray(
          sessions.id,
          tx
            .select({ id: emailTokens.sessionId })
            .from(emailTokens)
            .where(
              and(
                eq(emailTokens.userId, userId),
                eq(emailTokens.purpose, 'change-email'),
                gt(emailTokens.expiresAt, now),
              ),
            ),
        ),
      )
      .run();
    // Links to new addresses are deleted with their sessions.
    endEmailTokens(tx, userId, now, 'cancel-email-change');
    return true;
  });

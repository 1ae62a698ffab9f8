import { atomic } from '@app/db/atomic';
import { emailTokens, users } from '@app/db/schema/accounts';
import { and, eq, exists, isNull, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { insertMailIf } from '../mail/outbox.ts';
import { hashToken } from '../tokens.ts';
import { decoyWrite, isAlive, newLink, ownerOfLink, useUpLinks } from './email-tokens.ts';
import { passwordResetMail } from './emails.ts';
import { deleteSessionsOf } from './sessions.ts';

const hour = 60 * 60 * 1_000;
/** How long a link to choose a new password works, in hours. */
const linkHours = 1;

/**
 * Mails the owner of an account a link to choose a new password, in place of any before it;
 * does nothing, in silence and in the same time, where there is no account.
 *
 * Every account gets one. One that only signs in with Google gets its first password so, and
 * one that waits for its confirmation is confirmed by it: who can open the mail owns the
 * address, which is all that the other link would show. So a forgotten password before the first
 * sign-in, or a stranger's sign-up with one's address, needs no other way out.
 */
export async function mailPasswordReset(deps: Deps, email: string): Promise<void> {
  const { db, clock, outbox, settings } = deps;
  const now = clock.now();
  const account = db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const { token, insertToken } = newLink(deps, {
    purpose: 'reset-password',
    account: eq(users.email, email),
    lifetime: linkHours * hour,
  });
  const link = `${settings.publicUrl}/auth/reset?token=${token}`;
  await atomic(db, [
    decoyWrite(db),
    db
      .update(emailTokens)
      .set({ usedAt: now })
      .where(
        and(
          eq(emailTokens.userId, sql`(${account})`),
          eq(emailTokens.purpose, 'reset-password'),
          isNull(emailTokens.usedAt),
        ),
      ),
    insertToken,
    insertMailIf(db, now, passwordResetMail(email, link, linkHours), exists(account)),
  ]);
  outbox.wake();
}

/** Whether a link to choose a new password works. Looking does not use it up. */
export async function isResetLinkAlive(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<boolean> {
  const alive = await db
    .select({ userId: emailTokens.userId })
    .from(emailTokens)
    .where(isAlive(hashToken(token), 'reset-password', clock.now()));
  return alive.length > 0;
}

/**
 * Sets the password of the account that the link was mailed for, and in the same commit ends all
 * of its sessions and kills all of its links (OWASP Forgot Password Cheat Sheet). Of several uses
 * at once one wins; null for all others, and for a link that no longer works.
 */
export async function resetPassword(
  deps: Deps,
  { token, password }: { token: string; password: string },
): Promise<{ userId: string; email: string } | null> {
  const { db, clock, passwords } = deps;
  // A hash is work that a made-up link is not worth.
  if (!(await isResetLinkAlive(deps, token))) return null;
  const passwordHash = await passwords.hash(password);
  const now = clock.now();
  const owner = ownerOfLink(db, hashToken(token), 'reset-password', now);
  const [reset] = await atomic(db, [
    db
      .update(users)
      .set({ passwordHash, emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, ${now})` })
      .where(eq(users.id, owner))
      .returning({ userId: users.id, email: users.email }),
    deleteSessionsOf(db, owner),
    useUpLinks(db, owner, now),
  ]);
  return reset[0] ?? null;
}

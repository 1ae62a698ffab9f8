import { atomic } from '@app/db/atomic';
import { sessions, users } from '@app/db/schema/accounts';
import { and, eq } from 'drizzle-orm';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { insertMailIf } from '../mail/outbox.ts';
import { passwordChangedMail } from './emails.ts';
import { endMailedLinks } from './mailed-links.ts';
import { isStillSignedIn } from './still-signed-in.ts';

/**
 * Gives an account another password, or its first one. Whoever else was signed in, or held a
 * mailed link, is out from then on (OWASP Session Management Cheat Sheet), and its owner is told.
 * The session that asks ends as well: the caller starts a new one. False when that session
 * ended meanwhile, and nothing was changed.
 */
export async function changePassword(
  { db, clock, outbox, passwords, settings }: Deps,
  user: SignedIn,
  password: string,
): Promise<boolean> {
  const passwordHash = await passwords.hash(password);
  const now = clock.now();
  const { userId, email } = user;
  const condition = isStillSignedIn(db, user);
  const [changed] = await atomic(db, [
    db
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, userId), condition))
      .returning({ id: users.id }),
    endMailedLinks(db, userId, now, condition),
    insertMailIf(db, now, passwordChangedMail(email, settings.publicUrl), condition),
    // The last one: the others ask for the session.
    db.delete(sessions).where(and(eq(sessions.userId, userId), condition)),
  ]);
  outbox.wake();
  return changed.length > 0;
}

import type { AccountDeletion } from '@app/contract/accounts/settings';
import type { Transaction } from '@app/db/open';
import {
  accountDeletions,
  emailTokens,
  identities,
  oauthAttempts,
  pendingIdentityLinks,
  profiles,
  sessions,
  users,
} from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { enqueueEmail } from '../../email/outbox.ts';
import type { Change } from '../../publishing/log.ts';
import type { Deletion, UserData } from '../profile/user-data.ts';
import { findRecentSession, type SessionRefusal } from '../sessions/live-session.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { accountDeletedEmail } from './emails.ts';

/**
 * Published posts are deleted or lose their author. Submitted forms and a newsletter subscription
 * are separate and remain, as the last email says.
 *
 * The first transaction closes the account for good: nobody can sign in to it, and its name and
 * address are gone. Posts and other content follow in short transactions. After a crash or a
 * failure, the cleanup continues.
 */
export async function deleteAccount(
  deps: Deps,
  user: SignedIn,
  { posts }: AccountDeletion,
): Promise<SessionRefusal | 'deleted'> {
  const { db, clock, outbox, userData, log } = deps;
  const closed = await writeTransaction(db, (tx) => {
    const now = clock.now();
    const session = findRecentSession(tx, user, now);
    if ('refused' in session) return session;
    const { userId, email } = session;
    closeAccount(tx, userData, { userId, posts });
    enqueueEmail(tx, now, accountDeletedEmail(email, posts));
    return { userId, posts };
  });
  if ('refused' in closed) return closed;
  outbox.wake();
  await finishDeletion(deps, closed).catch((error: unknown) => {
    log.error({ err: error }, 'could not finish the deletion of an account');
  });
  return 'deleted';
}

/** Continues deletions after a crash or a failure. */
export async function finishDeletions(deps: Deps): Promise<void> {
  const deletions = deps.db.select().from(accountDeletions).all();
  for (const deletion of deletions) await finishDeletion(deps, deletion);
}

function closeAccount(tx: Transaction, userData: readonly UserData[], deletion: Deletion): void {
  const { userId } = deletion;
  tx.insert(accountDeletions).values(deletion).run();
  tx.delete(profiles).where(eq(profiles.id, userId)).run();
  const tables = [sessions, emailTokens, identities, oauthAttempts, pendingIdentityLinks];
  for (const table of tables) tx.delete(table).where(eq(table.userId, userId)).run();
  for (const feature of userData) feature.close?.(tx, userId);
  tx.update(users)
    .set({
      // A placeholder, so that the address can sign up again.
      email: `deleted:${userId}`,
      passwordHash: null,
      role: 'member',
      emailConfirmedAt: null,
    })
    .where(eq(users.id, userId))
    .run();
}

async function finishDeletion(deps: Deps, deletion: Deletion): Promise<void> {
  const { db, publisher, avatars, userData, log } = deps;
  const { userId } = deletion;
  let first: Change | undefined;
  for (const feature of userData) {
    for await (const change of feature.detach?.(deletion) ?? []) {
      // Not at the end, because the next transaction may fail.
      publisher.wake();
      first ??= change;
    }
  }
  const removals = await writeTransaction(db, (tx) => {
    const removeFiles = userData.flatMap((feature) => feature.delete?.(tx, userId) ?? []);
    tx.delete(users).where(eq(users.id, userId)).run();
    return removeFiles;
  });
  if (first) await publisher.publish(first);
  const files = [avatars.removeAll(userId), ...removals.map((removeFiles) => removeFiles())];
  await Promise.all(files).catch((error: unknown) => {
    // The hourly cleanup will remove them.
    log.error({ err: error }, 'could not remove the images of a deleted account');
  });
}

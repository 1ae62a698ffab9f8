import type { AccountDeletion } from '@app/contract/account-settings';
import { atomic } from '@app/db/atomic';
import { sessions, users } from '@app/db/schema/accounts';
import { and, eq, sql } from 'drizzle-orm';
import type { SignedIn } from '../accounts/sessions.ts';
import { leavePosts } from '../blog/leave-posts.ts';
import type { Deps } from '../deps.ts';
import { insertMailIf } from '../mail/outbox.ts';
import { insertPublishJobs } from '../publishing/jobs.ts';
import { accountDeletedMail } from './emails.ts';
import { isStillSignedIn } from './still-signed-in.ts';

/**
 * Deletes an account with all that is only its owner's: sessions, links, profile, pictures,
 * drafts, accounts elsewhere. Their published posts lose their name or go as well, on the pages
 * too. What they sent through a form, and a subscription to the newsletter, are apart from the
 * account and stay; the mail that says farewell says so.
 *
 * False when the session that asks ended meanwhile, and nothing was deleted.
 */
export async function deleteAccount(
  deps: Deps,
  user: SignedIn,
  { posts }: AccountDeletion,
): Promise<boolean> {
  const { db, clock, outbox, publisher, avatars, log } = deps;
  const { userId, email } = user;
  const stillSignedIn = isStillSignedIn(db, user);
  for (;;) {
    const left = await leavePosts(db, userId, posts, stillSignedIn);
    const condition = sql`(${stillSignedIn} and ${left.nothingLeft})`;
    const now = clock.now();
    const [jobs] = await atomic(db, [
      // Harmless when the rest does nothing: pages show what the database says.
      insertPublishJobs(db, now, left.paths),
      ...left.statements,
      insertMailIf(db, now, accountDeletedMail(email, posts), condition),
      // The last one: with it goes the session that the others ask for.
      db.delete(users).where(and(eq(users.id, userId), condition)),
    ]);
    const [first, ...more] = jobs;
    if (first) await publisher.publish(first);
    void publisher.publishBehind(more);

    const [account] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
    if (!account) break;
    // A post that changed meanwhile is looked at again; a session that ended has no say any more.
    const [session] = await db
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.id, user.session.id));
    if (!session) return false;
  }
  outbox.wake();
  await avatars.removeAll(userId).catch((error: unknown) => {
    // Files that no account names are also swept away, every hour.
    log.error({ err: error }, 'the pictures of an account that is gone could not be removed');
  });
  return true;
}

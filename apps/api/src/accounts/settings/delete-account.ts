import type { AccountDeletion } from '@app/contract/accounts/settings';
import { users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { leavePictures } from '../../blog/pictures/pictures.ts';
import { leavePosts } from '../../blog/writing/leave-posts.ts';
import { enqueueEmail } from '../../email/outbox.ts';
import { insertPublishJobs } from '../../publishing/jobs.ts';
import { findRecentSession } from '../sessions/live-session.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { accountDeletedEmail } from './emails.ts';

/**
 * Deletes an account with everything that belongs to it. Published posts are deleted or lose their
 * author. Submitted forms and a newsletter subscription are separate and remain; the last email
 * says so.
 */
export async function deleteAccount(
  deps: Deps,
  user: SignedIn,
  { posts }: AccountDeletion,
): Promise<{ refused: 'not_signed_in' | 'sign_in_again' } | 'deleted'> {
  const { db, clock, outbox, publisher, avatars, pictures, log } = deps;
  const deleted = await writeTransaction(db, (tx) => {
    const now = clock.now();
    const session = findRecentSession(tx, user, now);
    if ('refused' in session) return session;
    const { userId, email } = session;
    const stalePaths = leavePosts(tx, userId, posts);
    const pictureIds = leavePictures(tx, userId);
    tx.delete(users).where(eq(users.id, userId)).run();
    enqueueEmail(tx, now, accountDeletedEmail(email, posts));
    return { userId, pictureIds, jobs: insertPublishJobs(tx, now, stalePaths) };
  });
  if ('refused' in deleted) return deleted;
  outbox.wake();
  const [first, ...more] = deleted.jobs;
  if (first) await publisher.publish(first);
  void publisher.publishInBackground(more);
  const files = [avatars.removeAll(deleted.userId), pictures.removeFiles(deleted.pictureIds)];
  await Promise.all(files).catch((error: unknown) => {
    // The hourly cleanup removes them.
    log.error({ err: error }, 'could not remove the images of a deleted account');
  });
  return 'deleted';
}

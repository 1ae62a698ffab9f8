import type { PostLock } from '@app/contract/blog/pages';
import type { PostLocked } from '@app/contract/blog/replies';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { authorColumns, toAuthor } from '../../accounts/profile/author.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { toIso } from '../../clock.ts';
import type { Deps } from '../deps.ts';
import { findVisible, type PostRefusal, refuse } from './writing-access.ts';

/** Locks a post so that only staff can change it, or unlocks it. Readers see no difference. */
export const setLock = (
  { db, clock, settings }: Pick<Deps, 'db' | 'clock' | 'settings'>,
  user: SignedIn,
  id: string,
  locked: boolean,
): Promise<PostLocked | PostRefusal> =>
  writeTransaction(db, (tx) => {
    const now = clock.now();
    const visible = findVisible(tx, settings, { user, id, now });
    if ('refused' in visible) return visible;
    const { post, writer } = visible;
    if (writer.role !== 'staff') return refuse('not_staff');
    if (locked === (post.lockedAt !== null)) return { locked };
    tx.update(blogPosts)
      .set({
        lockedAt: locked ? now : null,
        lockedBy: locked ? writer.userId : null,
        // An unchanged revision means that its page does not have to be rendered again.
        revision: post.revision,
      })
      .where(eq(blogPosts.id, id))
      .run();
    return { locked };
  });

export const findAccess = (db: Database, id: string, { role }: Pick<SignedIn, 'role'>) => ({
  lock: findLock(db, id),
  isStaff: role === 'staff',
});

export function findLock(db: Database, id: string): PostLock | null {
  const row = db
    .select({ lockedAt: blogPosts.lockedAt, ...authorColumns })
    .from(blogPosts)
    .leftJoin(profiles, eq(profiles.id, blogPosts.lockedBy))
    .where(eq(blogPosts.id, id))
    .get();
  if (!row || row.lockedAt === null) return null;
  return { lockedAt: toIso(row.lockedAt), lockedBy: toAuthor(row).name };
}

import { deleteInBatches } from '@app/db/delete-in-batches';
import { blogPosts } from '@app/db/schema/blog';
import { whenUnlocked } from '@app/db/write-transaction';
import { gt, lte } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { trashMilliseconds } from './trash.ts';

/** Deleted at once. A post can have several megabytes of revisions. */
const postsAtOnce = 2;

export async function emptyTrash({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  // Posts that were deleted while the clock was ahead.
  await whenUnlocked(db, () =>
    db.update(blogPosts).set({ deletedAt: now }).where(gt(blogPosts.deletedAt, now)).run(),
  );
  await deleteInBatches(
    db,
    blogPosts,
    lte(blogPosts.deletedAt, now - trashMilliseconds),
    postsAtOnce,
  );
}

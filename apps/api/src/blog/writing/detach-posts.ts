import { setImmediate } from 'node:timers/promises';
import type { Transaction } from '@app/db/open';
import { blogPostOldSlugs, blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Change, logChange } from '../../publishing/log.ts';
import type { Deps } from '../deps.ts';
import { listPaths, postPaths } from '../pages/post-paths.ts';
import { createRelatedPaths, type RelatedPaths } from '../pages/related-paths.ts';
import { tagPath } from '../pages/tag-paths.ts';
import { pathsOfNew } from '../publishing/paths-of-change.ts';
import { droppedSchedule } from '../scheduling/schedule.ts';

/** A transaction ends after the first step that exceeds this. Its commit takes as long again. */
const maxMilliseconds = 10;

/** Withdrawn pages that the owner of the account waits for. */
const pagesAtOnce = 16;

/** Rows per step. Changing a row writes its texts again. */
const rowsAtOnce = 10;

interface Author {
  userId: string;
  /** What happens to published posts. */
  posts: 'keep' | 'delete';
}

/**
 * Detaches posts from an account that is being deleted. Deletes its drafts and its trash. Published
 * posts are deleted, or lose their author and the revisions from when they were drafts. The account
 * is removed from revisions and from posts of others. Uses several transactions; after a crash,
 * another run continues.
 * @yields what changed, after each transaction
 */
export async function* detachPosts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  author: Author,
): AsyncGenerator<Change> {
  const related = createRelatedPaths(db);
  for (;;) {
    const batch = await writeTransaction(db, (tx) => {
      const { isDone, paths } = detachSome(tx, related, author);
      return { isDone, change: logChange(tx, clock.now(), paths, paths.slice(0, pagesAtOnce)) };
    });
    yield batch.change;
    if (batch.isDone) return;
    await setImmediate();
  }
}

function detachSome(
  tx: Transaction,
  related: RelatedPaths,
  author: Author,
): { isDone: boolean; paths: string[] } {
  const began = performance.now();
  const paths: string[] = [];
  do {
    const stale = detachPost(tx, related, author);
    if (stale) paths.push(...stale);
    else if (!detachOthersPosts(tx, author) && !detachRevisions(tx, author)) {
      return { isDone: true, paths };
    }
  } while (performance.now() - began < maxMilliseconds);
  return { isDone: false, paths };
}

/** @returns the paths of pages that showed it; null if there is no post left */
function detachPost(
  tx: Transaction,
  related: RelatedPaths,
  { userId, posts }: Author,
): string[] | null {
  const { id, slug, createdAt, tags, published } = blogPosts;
  const post = tx
    .select({ id, slug, createdAt, tags, published })
    .from(blogPosts)
    .where(eq(blogPosts.authorId, userId))
    .limit(1)
    .get();
  if (!post) return null;
  const isPost = eq(blogPosts.id, post.id);
  if (post.published && posts === 'keep') {
    if (deleteDraftRevisions(tx, post.id, userId)) return [];
    tx.update(blogPosts)
      .set({ authorId: null, authorEmail: '', version: sql`${blogPosts.version} + 1` })
      .where(isPost)
      .run();
    return [...listPaths, ...postPaths(post.slug), ...post.tags.map((tag) => tagPath(tag.slug))];
  }
  const oldSlugs = tx
    .select({ slug: blogPostOldSlugs.slug })
    .from(blogPostOldSlugs)
    .where(eq(blogPostOldSlugs.postId, post.id))
    .all();
  tx.delete(blogPosts).where(isPost).run();
  if (!post.published) return [];
  return [...pathsOfNew(related, post), ...oldSlugs.flatMap((old) => postPaths(old.slug))];
}

/** Deletes revisions from when a published post was a draft. @returns whether there were any */
function deleteDraftRevisions(tx: Transaction, postId: string, userId: string): boolean {
  const { id, published } = blogPostRevisions;
  const isDraft = and(
    eq(blogPostRevisions.postId, postId),
    eq(blogPostRevisions.userId, userId),
    eq(published, false),
  );
  const some = tx.select({ id }).from(blogPostRevisions).where(isDraft).limit(rowsAtOnce);
  return tx.delete(blogPostRevisions).where(inArray(id, some)).run().changes > 0;
}

/**
 * Does in steps what foreign keys would do for any number of posts in one statement.
 * @returns whether there were any
 */
function detachOthersPosts(tx: Transaction, { userId }: Author): boolean {
  const { deletedBy, scheduledBy } = blogPosts;
  const someWith = (column: SQLiteColumn) =>
    tx.select({ id: blogPosts.id }).from(blogPosts).where(eq(column, userId)).limit(rowsAtOnce);
  const scheduled = inArray(blogPosts.id, someWith(scheduledBy));
  if (tx.update(blogPosts).set(droppedSchedule).where(scheduled).run().changes > 0) return true;
  // Plain SQL, because Drizzle would mark the post as changed.
  const name = sql.identifier(deletedBy.name);
  const { changes } = tx.run(
    sql`update ${blogPosts} set ${name} = null where ${blogPosts.id} in ${someWith(deletedBy)}`,
  );
  return changes > 0;
}

/** @returns whether there were any */
function detachRevisions(tx: Transaction, { userId }: Author): boolean {
  const { id } = blogPostRevisions;
  const some = tx
    .select({ id })
    .from(blogPostRevisions)
    .where(eq(blogPostRevisions.userId, userId))
    .limit(rowsAtOnce);
  const anonymous = tx.update(blogPostRevisions).set({ userId: null }).where(inArray(id, some));
  return anonymous.run().changes > 0;
}

import type { Database, Transaction } from '@app/db/open';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, desc, eq, inArray } from 'drizzle-orm';

/** How many old slugs lead to a post; then the oldest leads nowhere. */
const maxOldSlugs = 20;

/** A post's old slugs, the latest first. */
export const oldSlugsOf = (tx: Transaction, postId: string): string[] =>
  tx
    .select({ slug: blogPostOldSlugs.slug })
    .from(blogPostOldSlugs)
    .where(eq(blogPostOldSlugs.postId, postId))
    .orderBy(desc(blogPostOldSlugs.createdAt))
    .all()
    .map(({ slug }) => slug);

/**
 * Notes that a post has another slug from now on. Each old slug leads to the post, not to the next
 * slug, so that there are no chains.
 * @returns old slugs that are too many, and lead nowhere from now on
 */
export function renameSlug(
  tx: Transaction,
  { id, slug }: { id: string; slug: string },
  newSlug: string,
  now: number,
): string[] {
  // One of its own that it has again is none of its old ones.
  tx.delete(blogPostOldSlugs)
    .where(and(eq(blogPostOldSlugs.slug, newSlug), eq(blogPostOldSlugs.postId, id)))
    .run();
  const latest = tx
    .select({ at: blogPostOldSlugs.createdAt })
    .from(blogPostOldSlugs)
    .where(eq(blogPostOldSlugs.postId, id))
    .orderBy(desc(blogPostOldSlugs.createdAt))
    .limit(1)
    .get();
  // They are told apart by time, also within a millisecond and by a clock that went back.
  const createdAt = Math.max(now, (latest?.at ?? 0) + 1);
  tx.insert(blogPostOldSlugs)
    .values({ slug, postId: id, createdAt })
    .onConflictDoUpdate({ target: blogPostOldSlugs.slug, set: { postId: id, createdAt } })
    .run();
  const dropped = oldSlugsOf(tx, id).slice(maxOldSlugs);
  if (dropped.length > 0) {
    tx.delete(blogPostOldSlugs)
      .where(and(eq(blogPostOldSlugs.postId, id), inArray(blogPostOldSlugs.slug, dropped)))
      .run();
  }
  return dropped;
}

/** The post that had a slug before, where it is now. */
export const findByOldSlug = (db: Database, slug: string) =>
  db
    .select({
      slug: blogPosts.slug,
      published: blogPosts.published,
      authorId: blogPosts.authorId,
      unpublishedBy: blogPosts.unpublishedBy,
    })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(eq(blogPostOldSlugs.slug, slug))
    .get();

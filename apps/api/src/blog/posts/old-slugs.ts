import type { Database, Transaction } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { isLive } from './live-posts.ts';

const maxOldSlugs = 20;

/** Latest first. */
export const oldSlugsOf = (tx: Transaction, postId: string): string[] =>
  tx
    .select({ slug: blogPostOldSlugs.slug })
    .from(blogPostOldSlugs)
    .where(eq(blogPostOldSlugs.postId, postId))
    .orderBy(desc(blogPostOldSlugs.createdAt))
    .all()
    .map(({ slug }) => slug);

/**
 * Old slugs redirect straight to the current one, without chains.
 * @returns the oldest slugs beyond the maximum, which stop working
 */
export function renameSlug(
  tx: Transaction,
  { id, slug }: { id: string; slug: string },
  newSlug: string,
  now: number,
): string[] {
  // The post may take back one of its old slugs.
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
  // Increases even within a millisecond, and after the clock was set back.
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

/**
 * Adds old slugs to an imported post, except those that redirect to other posts.
 * @param slugs latest first
 * @returns all old slugs of the post
 */
export function addOldSlugs(
  tx: Transaction,
  { id, updatedAt }: { id: string; updatedAt: number },
  slugs: readonly string[],
): string[] {
  const rows = slugs
    .slice(0, maxOldSlugs)
    .map((slug, index) => ({ slug, postId: id, createdAt: updatedAt - index }));
  if (rows.length > 0) tx.insert(blogPostOldSlugs).values(rows).onConflictDoNothing().run();
  return oldSlugsOf(tx, id);
}

export const findByOldSlug = (db: Database, slug: string) =>
  statementsOf(db).findByOldSlug.get({ slug });

const statementsOf = preparedStatements((db) => ({
  // Prepared, because anyone can request any number of posts that do not exist.
  findByOldSlug: db
    .select({
      slug: blogPosts.slug,
      published: blogPosts.published,
      authorId: blogPosts.authorId,
      unpublishedBy: blogPosts.unpublishedBy,
    })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(and(isLive, eq(blogPostOldSlugs.slug, sql.placeholder('slug'))))
    .prepare(),
}));

import { writingMessages } from '@app/contract/blog/messages';
import type { Database, DatabaseOrTransaction, Transaction } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, desc, eq, sql } from 'drizzle-orm';
import { isLive } from './live-posts.ts';
import { type PostRefusal, refuse } from './writing-access.ts';

/** Per post, because each is a page that redirects. */
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
 * The id of the post that has the slug or had it earlier, as a draft, too. A slug belongs to its
 * post until that is permanently deleted.
 */
export const findSlugOwner = (tx: DatabaseOrTransaction, slug: string): string | undefined =>
  (
    tx.select({ id: blogPosts.id }).from(blogPosts).where(eq(blogPosts.slug, slug)).get() ??
    tx
      .select({ id: blogPostOldSlugs.postId })
      .from(blogPostOldSlugs)
      .where(eq(blogPostOldSlugs.slug, slug))
      .get()
  )?.id;

/** Null if the post can get the slug. */
export function refuseRename(
  tx: Transaction,
  { id, slug }: { id: string; slug: string },
  newSlug: string,
): PostRefusal | null {
  if (slug === newSlug) return null;
  const owner = findSlugOwner(tx, newSlug);
  if (owner !== undefined && owner !== id) return refuse('slug_taken');
  // The post may take back one of its old slugs.
  const others = oldSlugsOf(tx, id).filter((old) => old !== newSlug);
  if (others.length < maxOldSlugs) return null;
  return { refused: 'quota', detail: writingMessages.tooManySlugs(maxOldSlugs) };
}

/** Old slugs redirect straight to the current one, without chains. */
export function renameSlug(
  tx: Transaction,
  { id, slug }: { id: string; slug: string },
  newSlug: string,
  now: number,
): void {
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
  tx.insert(blogPostOldSlugs).values({ slug, postId: id, createdAt }).run();
}

/**
 * Adds old slugs to an imported post, except those of other posts.
 * @param slugs latest first
 * @returns all old slugs of the post
 */
export function addOldSlugs(
  tx: Transaction,
  { id, updatedAt }: { id: string; updatedAt: number },
  slugs: readonly string[],
): string[] {
  const rows = slugs
    .filter((slug) => findSlugOwner(tx, slug) === undefined)
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
    })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(and(isLive, eq(blogPostOldSlugs.slug, sql.placeholder('slug'))))
    .prepare(),
}));

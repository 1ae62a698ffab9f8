import type { Transaction } from '@app/db/open';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, eq, sql } from 'drizzle-orm';
import { listPaths, pathsOf, postPath } from './published-pages.ts';

/**
 * Deletes a user's drafts, and deletes published posts or removes their author, in the transaction
 * that deletes the account.
 * @returns the paths of affected pages
 */
export function leavePosts(
  tx: Transaction,
  authorId: string,
  published: 'keep' | 'delete',
): string[] {
  const isTheirs = eq(blogPosts.authorId, authorId);
  const { slug, createdAt } = blogPosts;
  const visible = tx
    .select({ slug, createdAt })
    .from(blogPosts)
    .where(and(isTheirs, eq(blogPosts.published, true)))
    .all();
  if (published === 'delete') {
    const oldSlugs = tx
      .select({ slug: blogPostOldSlugs.slug })
      .from(blogPostOldSlugs)
      .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
      .where(isTheirs)
      .all();
    tx.delete(blogPosts).where(isTheirs).run();
    return [
      ...visible.flatMap((post) => pathsOf(post.slug, post.createdAt)),
      ...oldSlugs.map((old) => postPath(old.slug)),
    ];
  }
  tx.delete(blogPosts)
    .where(and(isTheirs, eq(blogPosts.published, false)))
    .run();
  tx.update(blogPosts)
    .set({ authorId: null, authorEmail: '', version: sql`${blogPosts.version} + 1` })
    .where(isTheirs)
    .run();
  return visible.length > 0 ? [...listPaths, ...visible.map((post) => postPath(post.slug))] : [];
}

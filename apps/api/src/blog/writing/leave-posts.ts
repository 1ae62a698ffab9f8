import type { Transaction } from '@app/db/open';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, eq, sql } from 'drizzle-orm';
import { listPaths, pathsOf, postPaths } from '../pages/post-paths.ts';
import { createRelatedPaths } from '../pages/related-paths.ts';
import { tagPath } from '../pages/tag-paths.ts';
import { unscheduled } from '../scheduling/schedule.ts';

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
  tx.update(blogPosts).set(unscheduled).where(eq(blogPosts.scheduledBy, authorId)).run();
  const isTheirs = eq(blogPosts.authorId, authorId);
  const { id, slug, createdAt, tags } = blogPosts;
  const visible = tx
    .select({ id, slug, createdAt, tags })
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
    const related = createRelatedPaths(tx);
    return [
      ...visible.flatMap((post) => pathsOf(post.slug, post.createdAt)),
      ...oldSlugs.flatMap((old) => postPaths(old.slug)),
      ...related.ofTags(visible),
      ...visible.flatMap(related.ofNeighbors),
    ];
  }
  tx.delete(blogPosts)
    .where(and(isTheirs, eq(blogPosts.published, false)))
    .run();
  tx.update(blogPosts)
    .set({ authorId: null, authorEmail: '', version: sql`${blogPosts.version} + 1` })
    .where(isTheirs)
    .run();
  return visible.length > 0
    ? [
        ...listPaths,
        ...visible.flatMap((post) => [
          ...postPaths(post.slug),
          ...post.tags.map((tag) => tagPath(tag.slug)),
        ]),
      ]
    : [];
}

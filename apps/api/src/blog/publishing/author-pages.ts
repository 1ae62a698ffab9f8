import type { Transaction } from '@app/db/open';
import { blogPosts, blogPostTags } from '@app/db/schema/blog';
import { and, desc, eq } from 'drizzle-orm';
import { logChange } from '../../publishing/log.ts';
import { listPaths, postPaths } from '../pages/post-paths.ts';
import { tagPath } from '../pages/tag-paths.ts';

/** Logs the pages that show the author's name. Call in the transaction that changes it. */
export function logAuthorPages(tx: Transaction, now: number, authorId: string): void {
  const isTheirs = and(eq(blogPosts.authorId, authorId), eq(blogPosts.published, true));
  const posts = tx
    .select({ slug: blogPosts.slug })
    .from(blogPosts)
    .where(isTheirs)
    .orderBy(desc(blogPosts.createdAt))
    .all();
  if (posts.length === 0) return;
  const tags = tx
    .selectDistinct({ slug: blogPostTags.tag })
    .from(blogPosts)
    .innerJoin(blogPostTags, eq(blogPostTags.postId, blogPosts.id))
    .where(isTheirs)
    .all();
  logChange(tx, now, [
    ...listPaths,
    ...posts.flatMap(({ slug }) => postPaths(slug)),
    ...tags.map(({ slug }) => tagPath(slug)),
  ]);
}

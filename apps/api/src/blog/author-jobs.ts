import type { Transaction } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { and, desc, eq } from 'drizzle-orm';
import { insertPublishJobs, type PublishJob } from '../publishing/jobs.ts';
import { listPaths, postPath } from './published-pages.ts';

/**
 * Enqueues the lists and the pages of the author's published posts, newest first, in the
 * transaction that changes the name or avatar.
 */
export function insertAuthorJobs(tx: Transaction, now: number, authorId: string): PublishJob[] {
  const posts = tx
    .select({ slug: blogPosts.slug })
    .from(blogPosts)
    .where(and(eq(blogPosts.authorId, authorId), eq(blogPosts.published, true)))
    .orderBy(desc(blogPosts.createdAt))
    .all();
  if (posts.length === 0) return [];
  return insertPublishJobs(tx, now, [...listPaths, ...posts.map(({ slug }) => postPath(slug))]);
}

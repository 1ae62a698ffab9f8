import type { Transaction } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { and, desc, eq } from 'drizzle-orm';
import { insertPublishJobs, type PublishJob } from '../../publishing/jobs.ts';
import { listPaths, postPaths } from '../pages/post-paths.ts';
import { tagPath } from '../pages/tag-paths.ts';

/** Enqueues pages with the author's name, in the transaction that changes it. */
export function insertAuthorJobs(tx: Transaction, now: number, authorId: string): PublishJob[] {
  const posts = tx
    .select({ slug: blogPosts.slug, tags: blogPosts.tags })
    .from(blogPosts)
    .where(and(eq(blogPosts.authorId, authorId), eq(blogPosts.published, true)))
    .orderBy(desc(blogPosts.createdAt))
    .all();
  if (posts.length === 0) return [];
  return insertPublishJobs(tx, now, [
    ...listPaths,
    ...posts.flatMap(({ slug }) => postPaths(slug)),
    ...posts.flatMap(({ tags }) => tags.map(({ slug }) => tagPath(slug))),
  ]);
}

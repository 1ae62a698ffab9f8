import type { Post } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { samplePosts } from '@app/site/sample-posts';
import { and, eq, sql } from 'drizzle-orm';

/** The posts that ship with the site (spec §3), newest first. No row is behind them. */
const all: readonly Post[] = samplePosts
  .map(({ authorName, ...sample }) => ({
    ...sample,
    id: sample.slug,
    coverImage: null,
    published: true,
    authorId: 'system',
    author: { name: authorName, fullName: authorName, avatarUrl: null },
    isSample: true as const,
    updatedAt: sample.createdAt,
  }))
  .sort((a, b) => b.createdAt.localeCompare(a.createdAt));

export type Samples = ReturnType<typeof createSamples>;

/** The samples that are part of the blog as the database stands (spec §7). */
export function createSamples(db: Database) {
  const anyPublished = db
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .where(eq(blogPosts.published, true))
    .limit(1)
    .prepare();
  const withSlug = db
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .where(eq(blogPosts.slug, sql.placeholder('slug')))
    .prepare();

  const movedFrom = db
    .select({ id: blogPosts.id })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(and(eq(blogPostOldSlugs.slug, sql.placeholder('slug')), eq(blogPosts.published, true)))
    .prepare();

  /**
   * The sample with a slug, as long as no post has it, a draft included, and no published post
   * had it: then its page leads to the post.
   */
  const find = (slug: string): Post | undefined => {
    const sample = all.find((post) => post.slug === slug);
    return sample && !withSlug.get({ slug }) && !movedFrom.get({ slug }) ? sample : undefined;
  };

  return {
    find,

    /** What lists show in place of posts; null once anything is published. */
    list: (): Post[] | null =>
      anyPublished.get() ? null : all.filter(({ slug }) => find(slug) !== undefined),
  };
}

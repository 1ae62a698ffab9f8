import type { Post, SamplePost } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, eq, sql } from 'drizzle-orm';

/** A sample as a post. No row is behind it. */
const toPost = ({ authorName, ...sample }: SamplePost): Post => ({
  ...sample,
  id: sample.slug,
  coverImage: null,
  published: true,
  authorId: 'system',
  author: { name: authorName, fullName: authorName, avatarUrl: null },
  isSample: true,
  updatedAt: sample.createdAt,
});

/** Asked anew each time: in development the samples change. */
interface SampleSource {
  readonly samplePosts: readonly SamplePost[];
}

export type Samples = ReturnType<typeof createSamples>;

/** The samples (spec §3) that are part of the blog as the database stands (spec §7). */
export function createSamples(db: Database, source: SampleSource) {
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
    const sample = source.samplePosts.find((post) => post.slug === slug);
    const isTaken = sample && (withSlug.get({ slug }) ?? movedFrom.get({ slug }));
    return sample && !isTaken ? toPost(sample) : undefined;
  };

  return {
    find,

    /** What lists show in place of posts, newest first; null once anything is published. */
    list: (): Post[] | null =>
      anyPublished.get()
        ? null
        : source.samplePosts
            .flatMap(({ slug }) => find(slug) ?? [])
            .sort((a, b) => b.createdAt.localeCompare(a.createdAt)),
  };
}

import type { Post, SamplePost } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, eq, sql } from 'drizzle-orm';
import { isLive } from './live-posts.ts';

const toPost = ({ authorName, ...sample }: SamplePost): Post => ({
  ...sample,
  id: sample.slug,
  coverImage: null,
  published: true,
  authorId: 'system',
  author: { name: authorName, fullName: authorName, avatarUrl: null },
  isSample: true,
  version: 1,
  updatedAt: sample.createdAt,
  scheduledAt: null,
  droppedSchedule: null,
});

/** Read at each use, because samples change in development. */
interface SampleSource {
  readonly samplePosts: readonly SamplePost[];
}

export type Samples = ReturnType<typeof createSamples>;

const statementsOf = preparedStatements((db) => ({
  anyPublished: db
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .where(eq(blogPosts.published, true))
    .limit(1)
    .prepare(),
  withSlug: db
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .where(and(isLive, eq(blogPosts.slug, sql.placeholder('slug'))))
    .prepare(),
  movedFrom: db
    .select({ id: blogPosts.id })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(and(eq(blogPostOldSlugs.slug, sql.placeholder('slug')), eq(blogPosts.published, true)))
    .prepare(),
}));

/** Sample posts, which fill the blog until a post is published (spec §3, §7). */
export function createSamples(db: Database, source: SampleSource) {
  const { anyPublished, withSlug, movedFrom } = statementsOf(db);

  /** Undefined if a post or draft has the slug, or a published post used to have it. */
  const findTagged = (slug: string): Post | undefined => {
    const sample = source.samplePosts.find((post) => post.slug === slug);
    const isTaken = sample && (withSlug.get({ slug }) ?? movedFrom.get({ slug }));
    return sample && !isTaken ? toPost(sample) : undefined;
  };

  const areListed = (): boolean => anyPublished.get() === undefined;

  return {
    /** Without tags once a post is published, because their tag pages are gone. */
    find: (slug: string): Post | undefined => {
      const sample = findTagged(slug);
      return sample && !areListed() ? { ...sample, tags: [] } : sample;
    },

    /** Null once a post is published. */
    list: (): Post[] | null =>
      areListed()
        ? source.samplePosts
            .flatMap(({ slug }) => findTagged(slug) ?? [])
            .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
        : null,
  };
}

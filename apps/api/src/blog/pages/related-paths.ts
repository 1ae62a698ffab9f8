import type { Tag } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { blogPostBodies, blogPostTags } from '@app/db/schema/blog';
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { createNeighbors, type Position } from '../posts/neighbors.ts';
import { monthOfTime } from './months.ts';
import { postPath, sitemapPath } from './post-paths.ts';
import { tagMonthPath, tagPath } from './tag-paths.ts';

const { latestPosts } = limits;

export type RelatedPaths = ReturnType<typeof createRelatedPaths>;

const statementsOf = preparedStatements((db) => {
  const select = () =>
    db
      .select({ createdAt: blogPostTags.createdAt })
      .from(blogPostTags)
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPostTags.postId))
      .where(and(eq(blogPostTags.tag, sql.placeholder('tag')), isNull(blogPostBodies.problem)));
  return {
    latest: select()
      .orderBy(desc(blogPostTags.createdAt), desc(blogPostTags.postId))
      .limit(sql.placeholder('count'))
      .prepare(),
    oldest: select()
      .orderBy(asc(blogPostTags.createdAt), asc(blogPostTags.postId))
      .limit(sql.placeholder('count'))
      .prepare(),
  };
});

/** Pages that show a post, except its own and the lists. Call after the change is written. */
export function createRelatedPaths(db: Database) {
  const { latest, oldest } = statementsOf(db);
  const neighborsOf = createNeighbors(db);

  /** A tag is in the sitemap of its oldest post's month, which the change may have moved. */
  function sitemapsOfTag(tag: string, times: readonly number[]): string[] {
    const others = oldest.all({ tag, count: times.length + 1 });
    const [first] = others;
    if (!first || Math.min(...times) > first.createdAt) return [];
    return others.map(({ createdAt }) => sitemapPath(monthOfTime(createdAt)));
  }

  function pathsOfTag(tag: string, times: readonly number[]): string[] {
    return [tagPath(tag), ...monthsOfTag(tag, times), ...sitemapsOfTag(tag, times)];
  }

  function monthsOfTag(tag: string, times: readonly number[]): string[] {
    const others = latest.all({ tag, count: latestPosts + times.length + 1 });
    if (others.length + times.length <= latestPosts) return [];
    // A tag has pages by month only while it has more posts than its page shows.
    const isAtLimit = others.length <= latestPosts + times.length;
    const all = isAtLimit ? [...times, ...others.map(({ createdAt }) => createdAt)] : times;
    const months = new Set(all.map(monthOfTime));
    return [...months].map((month) => tagMonthPath(tag, month));
  }

  function ofTags(posts: readonly { tags: readonly Tag[]; createdAt: number }[]): string[] {
    const times = new Map<string, number[]>();
    for (const { tags, createdAt } of posts) {
      for (const { slug } of tags) times.set(slug, [...(times.get(slug) ?? []), createdAt]);
    }
    return [...times].flatMap(([tag, ofTag]) => pathsOfTag(tag, ofTag));
  }

  function ofNeighbors(post: Position): string[] {
    const { previous, next } = neighborsOf(post);
    return [previous, next].flatMap((neighbor) => (neighbor ? [postPath(neighbor.slug)] : []));
  }

  return {
    ofTags,
    ofNeighbors,
    /** For a post that appears or disappears. */
    ofPost: (post: Position & { tags: readonly Tag[] }): string[] => [
      ...ofTags([post]),
      ...ofNeighbors(post),
    ],
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PostCard } from '@app/contract/blog/pages';
import { monthOf, type Tag } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { PageData } from '@app/contract/pages';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPosts, blogPostTags } from '@app/db/schema/blog';
import { and, asc, desc, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm';
import { toIso } from '../../clock.ts';
import { summaryColumns, toCard, toSummary } from '../posts/post-row.ts';
import type { Samples } from '../posts/samples.ts';
import { monthOfTime, prepareMonths, rangeOfMonth } from './months.ts';
import { readTagPath, tagMonthPath, tagPath } from './tag-paths.ts';

const { latestPosts } = limits;

/** Tags per turn of the event loop. */
const tagsAtOnce = 100;

export type TagPages = ReturnType<typeof createTagPages>;

/**
 * A tag's page shows its newest posts. If there are more, all of its posts are also on pages by
 * month, so that no page grows with the number of posts.
 */
export function createTagPages(db: Database, samples: Samples) {
  // The table contains only published posts. This omits those that cannot be rendered.
  const isPublic = and(
    eq(blogPostTags.tag, sql.placeholder('tag')),
    isNull(blogPostBodies.problem),
  );
  const newestFirst = [desc(blogPostTags.createdAt), desc(blogPostTags.postId)];
  const latest = db
    .select({ ...summaryColumns, name: blogPostTags.name })
    .from(blogPostTags)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostTags.postId))
    .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPostTags.postId))
    .where(isPublic)
    .orderBy(...newestFirst)
    .limit(latestPosts + 1)
    .prepare();
  const inMonth = db
    .select({
      slug: blogPosts.slug,
      title: blogPosts.title,
      createdAt: blogPosts.createdAt,
      name: blogPostTags.name,
    })
    .from(blogPostTags)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostTags.postId))
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPostTags.postId))
    .where(
      and(
        isPublic,
        gte(blogPostTags.createdAt, sql.placeholder('from')),
        lt(blogPostTags.createdAt, sql.placeholder('to')),
      ),
    )
    .orderBy(...newestFirst)
    .prepare();
  const some = db
    .select({ postId: blogPostTags.postId })
    .from(blogPostTags)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPostTags.postId))
    .where(isPublic)
    .limit(sql.placeholder('count'))
    .prepare();
  const months = prepareMonths(db, (time) =>
    db
      .select({ at: blogPostTags.createdAt })
      .from(blogPostTags)
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPostTags.postId))
      .where(and(isPublic, lt(blogPostTags.createdAt, time)))
      .orderBy(desc(blogPostTags.createdAt))
      .limit(1),
  );
  const oldest = db
    .select({ at: blogPostTags.createdAt })
    .from(blogPostTags)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPostTags.postId))
    .where(isPublic)
    .orderBy(asc(blogPostTags.createdAt))
    .limit(1)
    .prepare();
  const tagAfter = db
    .select({ tag: blogPostTags.tag })
    .from(blogPostTags)
    .where(gt(blogPostTags.tag, sql.placeholder('after')))
    .orderBy(asc(blogPostTags.tag))
    .limit(1)
    .prepare();

  const countUpTo = (tag: string, count: number): number => some.all({ tag, count }).length;
  const monthsOf = (tag: string): string[] => months.all({ tag }).map(({ month }) => month);

  function ofSamples(tag: string): PageData | null {
    const tagged =
      samples.list()?.filter(({ tags }) => tags.some(({ slug }) => slug === tag)) ?? [];
    const name = tagged[0]?.tags.find(({ slug }) => slug === tag)?.name;
    if (name === undefined) return null;
    return { kind: 'tag', tag: { slug: tag, name }, posts: tagged.map(toCard), months: [] };
  }

  function tagData(tag: string): PageData | null {
    const rows = latest.all({ tag });
    const [first] = rows;
    if (!first) return ofSamples(tag);
    const posts: PostCard[] = rows
      .slice(0, latestPosts)
      .map(({ name, ...row }) => toCard(toSummary(row)));
    const monthsWithOlder = rows.length > latestPosts ? monthsOf(tag) : [];
    return { kind: 'tag', tag: { slug: tag, name: first.name }, posts, months: monthsWithOlder };
  }

  function monthData(tag: string, month: string): PageData | null {
    const rows = inMonth.all({ tag, ...rangeOfMonth(month) });
    const [first] = rows;
    if (!first || countUpTo(tag, latestPosts + 1) <= latestPosts) return null;
    const posts = rows.map(({ slug, title, createdAt }) => ({
      slug,
      title,
      createdAt: toIso(createdAt),
    }));
    return { kind: 'tagMonth', tag: { slug: tag, name: first.name }, month, posts };
  }

  /** The month of the oldest post, so that a new post does not change it. */
  function firstMonthOf(tag: string): string | undefined {
    const at = oldest.get({ tag })?.at;
    if (at !== undefined) return monthOfTime(at);
    const sample = samples.list()?.findLast(({ tags }) => tags.some(({ slug }) => slug === tag));
    return sample && monthOf(sample.createdAt);
  }

  return {
    /** @param posts all posts of the month */
    firstUsedIn(month: string, posts: readonly { tags: readonly Tag[] }[]): string[] {
      const tags = new Set(posts.flatMap((post) => post.tags.map(({ slug }) => slug)));
      return [...tags].filter((tag) => firstMonthOf(tag) === month);
    },

    dataAt(path: string): PageData | null {
      const of = readTagPath(path);
      if (!of) return null;
      return of.month === undefined ? tagData(of.tag) : monthData(of.tag, of.month);
    },

    async all(): Promise<string[]> {
      const paths: string[] = [];
      let tags = 0;
      for (let tag = tagAfter.get({ after: '' })?.tag; tag !== undefined; ) {
        const posts = countUpTo(tag, latestPosts + 1);
        if (posts > 0) paths.push(tagPath(tag));
        if (posts > latestPosts) {
          for (const month of monthsOf(tag)) paths.push(tagMonthPath(tag, month));
        }
        tags += 1;
        if (tags % tagsAtOnce === 0) await nextTurn();
        tag = tagAfter.get({ after: tag })?.tag;
      }
      const ofSite = samples.list() ?? [];
      const ofSamples = ofSite.flatMap((sample) => sample.tags.map(({ slug }) => tagPath(slug)));
      return [...paths, ...new Set(ofSamples)];
    },
  };
}

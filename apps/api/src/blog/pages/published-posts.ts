import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, asc, desc, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm';
import { postColumns, summaryColumns } from '../posts/post-row.ts';
import { bodyColumns } from '../rendering/bodies.ts';
import { prepareMonths } from './months.ts';

/** Rows per turn of the event loop. */
const rowsAtOnce = 500;

/** Prepared queries for published posts. Most omit posts that cannot be rendered. */
export function createPublishedPosts(db: Database) {
  const isPublic = and(eq(blogPosts.published, true), isNull(blogPostBodies.problem));
  const newestFirst = [desc(blogPosts.createdAt), desc(blogPosts.id)];
  const hasSlug = eq(blogPosts.slug, sql.placeholder('slug'));
  const publishedAfter = db
    .select({ slug: blogPosts.slug })
    .from(blogPosts)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(and(isPublic, gt(blogPosts.slug, sql.placeholder('after'))))
    .orderBy(asc(blogPosts.slug))
    .limit(rowsAtOnce)
    .prepare();
  const movedAfter = db
    .select({ slug: blogPostOldSlugs.slug })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(and(eq(blogPosts.published, true), gt(blogPostOldSlugs.slug, sql.placeholder('after'))))
    .orderBy(asc(blogPostOldSlugs.slug))
    .limit(rowsAtOnce)
    .prepare();

  return {
    /** One more than a list shows, without content and body, which can be long. */
    latest: db
      .select({
        ...summaryColumns,
        // SQLite determines the length without reading the body.
        bodyBytes: sql<number | null>`octet_length(${blogPostBodies.html})`,
      })
      .from(blogPosts)
      .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
      .where(isPublic)
      .orderBy(...newestFirst)
      .limit(limits.latestPosts + 1)
      .prepare(),

    inMonth: db
      .select({
        slug: blogPosts.slug,
        title: blogPosts.title,
        tags: blogPosts.tags,
        createdAt: blogPosts.createdAt,
        updatedAt: blogPosts.updatedAt,
      })
      .from(blogPosts)
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
      .where(
        and(
          isPublic,
          gte(blogPosts.createdAt, sql.placeholder('from')),
          lt(blogPosts.createdAt, sql.placeholder('to')),
        ),
      )
      .orderBy(...newestFirst)
      .prepare(),

    months: prepareMonths(db, (time) =>
      db
        .select({ at: blogPosts.createdAt })
        .from(blogPosts)
        .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
        .where(and(isPublic, lt(blogPosts.createdAt, time)))
        .orderBy(desc(blogPosts.createdAt))
        .limit(1),
    ),

    bySlug: db
      .select({ ...postColumns, ...bodyColumns })
      .from(blogPosts)
      .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
      .where(and(hasSlug, isPublic))
      .prepare(),

    /** Tells whether there is a post without reading it. */
    withSlug: db
      .select({ id: blogPosts.id })
      .from(blogPosts)
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
      .where(and(hasSlug, isPublic))
      .prepare(),

    byOldSlug: db
      .select({ slug: blogPosts.slug })
      .from(blogPostOldSlugs)
      .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
      .where(and(eq(blogPostOldSlugs.slug, sql.placeholder('slug')), eq(blogPosts.published, true)))
      .prepare(),

    /** Slugs of published posts, and old ones of theirs, in batches. */
    *slugs(): Generator<{ slug: string }[]> {
      for (const statement of [publishedAfter, movedAfter]) {
        let rows = statement.all({ after: '' });
        while (rows.length > 0) {
          yield rows;
          rows = statement.all({ after: rows.at(-1)?.slug });
        }
      }
    },
  };
}

export type PublishedPosts = ReturnType<typeof createPublishedPosts>;

import type { PostLink } from '@app/contract/blog/pages';
import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, asc, desc, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm';
import { authorColumns } from '../../accounts/profile/author.ts';
import { postColumns, summaryColumns } from '../posts/post-row.ts';
import { bodyColumns } from '../rendering/bodies.ts';
import { prepareMonths } from './months.ts';
import type { PostVersion } from './page-versions.ts';

export interface VersionRow extends PostVersion, PostLink {
  createdAt: number;
}

/** Rows per turn of the event loop. */
const rowsAtOnce = 500;

/** Prepared queries for published posts. Most omit posts that cannot be rendered. */
export function createPublishedPosts(db: Database) {
  const isPublic = and(eq(blogPosts.published, true), isNull(blogPostBodies.problem));
  const newestFirst = [desc(blogPosts.createdAt), desc(blogPosts.id)];
  const hasSlug = eq(blogPosts.slug, sql.placeholder('slug'));
  const publishedAfter = db
    .select({
      slug: blogPosts.slug,
      title: blogPosts.title,
      createdAt: blogPosts.createdAt,
      id: blogPosts.id,
      version: blogPosts.version,
      revision: blogPosts.revision,
      ...authorColumns,
    })
    .from(blogPosts)
    .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(
      and(
        isPublic,
        sql`(${blogPosts.createdAt}, ${blogPosts.id}) > (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})`,
      ),
    )
    .orderBy(asc(blogPosts.createdAt), asc(blogPosts.id))
    .limit(rowsAtOnce)
    .prepare();
  const movedAfter = db
    .select({ old: blogPostOldSlugs.slug, slug: blogPosts.slug })
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

    /** Includes a post that cannot be rendered. */
    withId: db
      .select({ id: blogPosts.id })
      .from(blogPosts)
      .where(and(eq(blogPosts.id, sql.placeholder('id')), eq(blogPosts.published, true)))
      .prepare(),

    byOldSlug: db
      .select({ slug: blogPosts.slug })
      .from(blogPostOldSlugs)
      .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
      .where(and(eq(blogPostOldSlugs.slug, sql.placeholder('slug')), eq(blogPosts.published, true)))
      .prepare(),

    /** Old slugs with the current ones, in batches. */
    *moved(): Generator<{ old: string; slug: string }[]> {
      let rows = movedAfter.all({ after: '' });
      while (rows.length > 0) {
        yield rows;
        rows = movedAfter.all({ after: rows.at(-1)?.old });
      }
    },

    /** Oldest first, in batches. */
    *versions(): Generator<VersionRow[]> {
      let rows = publishedAfter.all({ createdAt: Number.MIN_SAFE_INTEGER, id: '' });
      while (rows.length > 0) {
        yield rows;
        rows = publishedAfter.all(rows.at(-1));
      }
    },
  };
}

export type PublishedPosts = ReturnType<typeof createPublishedPosts>;

import type { Database } from '@app/db/open';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, asc, eq, notExists, type SQL, sql } from 'drizzle-orm';
import { listPaths, postPath } from '../publishing/pages.ts';
import { pathsOf } from './posts.ts';

/**
 * What somebody leaves whose account goes: the statements for the `atomic` of that, and the pages
 * that they make stale. Drafts go. What was published stays without its author, or goes as well.
 * @param condition what else has to hold in that moment
 * @returns `nothingLeft` holds in SQL once it is done; not when a post changed meanwhile: ask anew
 */
export async function leavePosts(
  db: Database,
  authorId: string,
  published: 'keep' | 'delete',
  condition: SQL,
) {
  const isTheirs = eq(blogPosts.authorId, authorId);
  const posts = await db
    .select({
      id: blogPosts.id,
      slug: blogPosts.slug,
      published: blogPosts.published,
      version: blogPosts.version,
      createdAt: blogPosts.createdAt,
    })
    .from(blogPosts)
    .where(isTheirs)
    .orderBy(asc(blogPosts.id));
  const oldSlugs = await db
    .select({ slug: blogPostOldSlugs.slug })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(isTheirs);

  const versions = JSON.stringify(posts.map(({ id, version }) => `${id}@${version}`));
  const versionsNow = db
    .select({
      list: sql`json_group_array(${blogPosts.id} || '@' || ${blogPosts.version} order by ${blogPosts.id})`,
    })
    .from(blogPosts)
    .where(isTheirs);
  const areAsRead = sql`(${versionsNow}) = ${versions}`;
  const noneIs = (what: SQL | undefined) =>
    notExists(db.select({ id: blogPosts.id }).from(blogPosts).where(what));

  const isPublished = eq(blogPosts.published, true);
  const nothingLeft = noneIs(isTheirs);
  const visible = posts.filter((post) => post.published);
  if (published === 'delete') {
    return {
      statements: [db.delete(blogPosts).where(and(isTheirs, condition, areAsRead))],
      paths: [
        ...visible.flatMap(({ slug, createdAt }) => pathsOf(slug, createdAt)),
        ...oldSlugs.map(({ slug }) => postPath(slug)),
      ],
      nothingLeft,
    };
  }
  return {
    statements: [
      db
        .update(blogPosts)
        .set({ authorId: null, authorEmail: '', version: sql`${blogPosts.version} + 1` })
        .where(and(isTheirs, isPublished, condition, areAsRead)),
      // A draft that was published meanwhile is not one of those read: it waits for the next try.
      db.delete(blogPosts).where(and(isTheirs, condition, noneIs(and(isTheirs, isPublished)))),
    ],
    paths: visible.length > 0 ? [...listPaths, ...visible.map(({ slug }) => postPath(slug))] : [],
    nothingLeft,
  };
}

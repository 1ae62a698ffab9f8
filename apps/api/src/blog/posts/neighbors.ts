import type { Neighbors, PostLink } from '@app/contract/blog/pages';
import type { Database } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';

export interface Position {
  createdAt: number;
  id: string;
}

const statementsOf = preparedStatements((db) => {
  const position = sql`(${blogPosts.createdAt}, ${blogPosts.id})`;
  const given = sql`(${sql.placeholder('createdAt')}, ${sql.placeholder('id')})`;
  const select = (condition: ReturnType<typeof sql>) =>
    db
      .select({ slug: blogPosts.slug, title: blogPosts.title })
      .from(blogPosts)
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
      .where(and(eq(blogPosts.published, true), isNull(blogPostBodies.problem), condition))
      .limit(1);
  return {
    older: select(sql`${position} < ${given}`)
      .orderBy(desc(blogPosts.createdAt), desc(blogPosts.id))
      .prepare(),
    newer: select(sql`${position} > ${given}`)
      .orderBy(asc(blogPosts.createdAt), asc(blogPosts.id))
      .prepare(),
  };
});

/** The posts that readers see before and after a post. */
export function createNeighbors(db: Database) {
  const { older, newer } = statementsOf(db);
  return ({ createdAt, id }: Position): Neighbors => ({
    previous: older.get({ createdAt, id }) ?? null,
    next: newer.get({ createdAt, id }) ?? null,
  });
}

/** @param list newest first */
export function neighborsIn(list: readonly PostLink[], slug: string): Neighbors {
  const index = list.findIndex((post) => post.slug === slug);
  const at = (other: number): PostLink | null => {
    const post = index < 0 ? undefined : list[other];
    return post ? { slug: post.slug, title: post.title } : null;
  };
  return { previous: at(index + 1), next: at(index - 1) };
}

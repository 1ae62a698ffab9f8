import type { DatabaseOrTransaction } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { publishJobs } from '@app/db/schema/publishing';
import { type SQL, sql } from 'drizzle-orm';
import { pagesOfOneJob } from '../publishing/jobs.ts';

/**
 * The statement that promises every page that shows an author's name or picture, for the
 * transaction of what changes them: the pages of their published posts and the lists. Somebody
 * without published posts causes no job.
 */
export const insertAuthorJobs = (db: DatabaseOrTransaction, now: number, authorId: string) => {
  const theirs: SQL = sql`${blogPosts.authorId} = ${authorId} and ${blogPosts.published} = true`;
  return db
    .insert(publishJobs)
    .select(
      sql`select null, json_group_array(path), 0, 0, null, ${now} from (
        select path, (row_number() over (order by place, created_at desc) - 1) / ${sql.raw(String(pagesOfOneJob))} as part from (
          select column1 as path, 0 as place, 0 as created_at from (values ('/blog'), ('/blog/feed.xml'))
            where exists (select 1 from ${blogPosts} where ${theirs})
          union all
          select '/blog/' || ${blogPosts.slug}, 1, ${blogPosts.createdAt} from ${blogPosts} where ${theirs}
        )
      ) group by part`,
    )
    .returning();
};

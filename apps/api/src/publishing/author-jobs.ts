import type { Database } from '@app/db/open';
import { blogPosts, publishJobs } from '@app/db/schema/blog';
import { type SQL, sql } from 'drizzle-orm';
import { pagesOfOneJob } from './jobs.ts';

/**
 * The statement that promises every page that shows an author's name or picture, for the
 * `atomic` of what changes them: the pages of their published posts and the lists. Finds them
 * when it runs, so that no post slips through between reading and writing; somebody without
 * published posts causes no job.
 * @param onlyIf asked when it runs, before what comes after it: whether anything changes at all
 */
export const insertAuthorJobs = (
  db: Database,
  now: number,
  authorId: string,
  onlyIf = sql`true`,
) => {
  const theirs: SQL = sql`${blogPosts.authorId} = ${authorId} and ${blogPosts.published} = true and ${onlyIf}`;
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

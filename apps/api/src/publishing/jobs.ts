import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { publishJobs } from '@app/db/schema/blog';
import { asc, count, eq, inArray, sql } from 'drizzle-orm';

/** The statement that promises pages, for the transaction of the change that made them stale. */
export const insertPublishJob = (db: DatabaseOrTransaction, now: number, paths: Iterable<string>) =>
  db
    .insert(publishJobs)
    .values({ paths: [...new Set(paths)], createdAt: now })
    .returning();

/** How many pages one job names at most: readers and another author's save wait for one job, not for all. */
export const pagesOfOneJob = 16;

/** The same for many pages, as several jobs: others' changes are published in between. */
export const insertPublishJobs = (
  db: DatabaseOrTransaction,
  now: number,
  paths: Iterable<string>,
) => {
  const all = [...new Set(paths)];
  const jobs = [{ paths: all.slice(0, pagesOfOneJob), createdAt: now }];
  for (let first = pagesOfOneJob; first < all.length; first += pagesOfOneJob) {
    jobs.push({ paths: all.slice(first, first + pagesOfOneJob), createdAt: now });
  }
  return db.insert(publishJobs).values(jobs).returning();
};

export type PublishJob = typeof publishJobs.$inferSelect;

export const pendingJobs = (db: Database): Promise<PublishJob[]> =>
  Promise.resolve(db.select().from(publishJobs).orderBy(asc(publishJobs.id)));

export async function deleteJobs(db: Database, jobs: readonly PublishJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await db.delete(publishJobs).where(
    inArray(
      publishJobs.id,
      jobs.map(({ id }) => id),
    ),
  );
}

export async function recordFailure(db: Database, job: PublishJob, reason: string): Promise<void> {
  await db
    .update(publishJobs)
    .set({ attempts: sql`${publishJobs.attempts} + 1`, lastError: reason })
    .where(eq(publishJobs.id, job.id));
}

export async function countJobs(db: Database): Promise<number> {
  const [row] = await db.select({ jobs: count() }).from(publishJobs);
  return row?.jobs ?? 0;
}

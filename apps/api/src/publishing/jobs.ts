import type { Database } from '@app/db/open';
import { publishJobs } from '@app/db/schema/blog';
import { asc, count, eq, inArray, sql } from 'drizzle-orm';

/** The statement that promises pages, for the `atomic` of the change that made them stale. */
export const insertPublishJob = (db: Database, now: number, paths: Iterable<string>) =>
  db
    .insert(publishJobs)
    .values({ paths: [...new Set(paths)], createdAt: now })
    .returning();

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

import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { publishJobs } from '@app/db/schema/publishing';
import { whenUnlocked } from '@app/db/write-transaction';
import { asc, count, eq, gt, inArray, lte, or, sql } from 'drizzle-orm';

const second = 1_000;

/** The longest wait before another attempt, in milliseconds. */
const longestDelay = 600 * second;

/** How many pages one job names at most: readers and other authors wait for one job, not for all. */
const pagesOfOneJob = 16;

/** Enqueues pages, for the transaction of the change that made them stale. */
export const insertPublishJob = (
  db: DatabaseOrTransaction,
  now: number,
  paths: Iterable<string>,
): PublishJob =>
  db
    .insert(publishJobs)
    .values({ paths: [...new Set(paths)], createdAt: now })
    .returning()
    .get();

/** The same for many pages, as several jobs: others' changes are published in between. */
export function insertPublishJobs(
  db: DatabaseOrTransaction,
  now: number,
  paths: Iterable<string>,
): PublishJob[] {
  const all = [...new Set(paths)];
  const jobs: { paths: string[]; createdAt: number }[] = [];
  for (let first = 0; first < all.length; first += pagesOfOneJob) {
    jobs.push({ paths: all.slice(first, first + pagesOfOneJob), createdAt: now });
  }
  return jobs.length > 0 ? db.insert(publishJobs).values(jobs).returning().all() : [];
}

export type PublishJob = typeof publishJobs.$inferSelect;

/** Every job, the oldest first. */
export const pendingJobs = (db: Database): PublishJob[] =>
  db.select().from(publishJobs).orderBy(asc(publishJobs.id)).all();

/**
 * The jobs that may be tried now. One that is further away than any failure puts it waits for a
 * clock that went back, and may be tried as well.
 */
export const dueJobs = (db: Database, now: number): PublishJob[] =>
  db
    .select()
    .from(publishJobs)
    .where(
      or(lte(publishJobs.nextAttemptAt, now), gt(publishJobs.nextAttemptAt, now + longestDelay)),
    )
    .orderBy(asc(publishJobs.nextAttemptAt), asc(publishJobs.id))
    .all();

/** How many milliseconds from now the next failed job is due; undefined when none waits. */
export function untilNextAttempt(db: Database, now: number): number | undefined {
  const next = db
    .select({ at: publishJobs.nextAttemptAt })
    .from(publishJobs)
    .where(gt(publishJobs.attempts, 0))
    .orderBy(asc(publishJobs.nextAttemptAt))
    .limit(1)
    .get();
  return next && Math.min(Math.max(next.at - now, 0), longestDelay);
}

export async function deleteJobs(db: Database, jobs: readonly PublishJob[]): Promise<void> {
  const ids = jobs.map(({ id }) => id);
  // SQLite takes 32,766 parameters.
  for (let first = 0; first < ids.length; first += 1_000) {
    const some = ids.slice(first, first + 1_000);
    await whenUnlocked(() => db.delete(publishJobs).where(inArray(publishJobs.id, some)).run());
  }
}

/** Keeps a job for the pages that failed, and no others; it is tried again later. */
export async function recordFailure(
  db: Database,
  job: PublishJob,
  { now, paths, reason }: { now: number; paths: string[]; reason: string },
): Promise<void> {
  const attempts = job.attempts + 1;
  const nextAttemptAt = now + retryDelay(attempts);
  await whenUnlocked(() =>
    db
      .update(publishJobs)
      .set({ paths, attempts, nextAttemptAt, lastError: reason })
      .where(eq(publishJobs.id, job.id))
      .run(),
  );
}

/**
 * How long to wait after the given number of failed attempts, in milliseconds: 10 s, doubling up
 * to 10 minutes. Anywhere from that down to half of it, so that jobs which failed together do
 * not come back together.
 */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const longest = Math.min(10 * second * 2 ** (attempts - 1), longestDelay);
  return Math.round(longest * (0.5 + random() / 2));
}

export function countJobs(db: Database): number {
  return db.select({ jobs: count() }).from(publishJobs).get()?.jobs ?? 0;
}

/** How many pages could not be published and wait for another attempt. */
export function countFailedPages(db: Database): number {
  const row = db
    .select({ pages: sql<number | null>`sum(json_array_length(${publishJobs.paths}))` })
    .from(publishJobs)
    .where(gt(publishJobs.attempts, 0))
    .get();
  return row?.pages ?? 0;
}

import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { publishJobs } from '@app/db/schema/publishing';
import { whenUnlocked } from '@app/db/write-transaction';
import { asc, count, eq, gt, inArray, lte, or, sql } from 'drizzle-orm';
import { batchesOf } from './batches.ts';

const second = 1_000;

/** In milliseconds. */
const maxDelay = 600 * second;

/** Readers and other authors wait for one job at most. */
const maxPagesPerJob = 16;

/** In the transaction of the change. */
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

/** Split into small jobs. */
export function insertPublishJobs(
  db: DatabaseOrTransaction,
  now: number,
  paths: Iterable<string>,
): PublishJob[] {
  const jobs = batchesOf([...new Set(paths)], maxPagesPerJob)
    .map((batch) => ({ paths: batch, createdAt: now }))
    .toArray();
  return jobs.length > 0 ? db.insert(publishJobs).values(jobs).returning().all() : [];
}

export type PublishJob = typeof publishJobs.$inferSelect;

/** Oldest first. */
export const pendingJobs = (db: Database): PublishJob[] =>
  db.select().from(publishJobs).orderBy(asc(publishJobs.id)).all();

/** Includes jobs scheduled while the clock was ahead. */
export const dueJobs = (db: Database, now: number): PublishJob[] =>
  db
    .select()
    .from(publishJobs)
    .where(or(lte(publishJobs.nextAttemptAt, now), gt(publishJobs.nextAttemptAt, now + maxDelay)))
    .orderBy(asc(publishJobs.nextAttemptAt), asc(publishJobs.id))
    .all();

/** Undefined without failed jobs. */
export function untilNextAttempt(db: Database, now: number): number | undefined {
  const next = db
    .select({ at: publishJobs.nextAttemptAt })
    .from(publishJobs)
    .where(gt(publishJobs.attempts, 0))
    .orderBy(asc(publishJobs.nextAttemptAt))
    .limit(1)
    .get();
  return next && Math.min(Math.max(next.at - now, 0), maxDelay);
}

export async function deleteJobs(db: Database, jobs: readonly PublishJob[]): Promise<void> {
  const ids = jobs.map(({ id }) => id);
  // SQLite takes 32,766 parameters.
  for (const some of batchesOf(ids, 1_000)) {
    await whenUnlocked(() => db.delete(publishJobs).where(inArray(publishJobs.id, some)).run());
  }
}

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

/** In milliseconds: 10 s, doubling up to 10 minutes, with up to 50 % jitter. */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const max = Math.min(10 * second * 2 ** (attempts - 1), maxDelay);
  return Math.round(max * (0.5 + random() / 2));
}

export function countJobs(db: Database): number {
  return db.select({ jobs: count() }).from(publishJobs).get()?.jobs ?? 0;
}

/** Those of the paths that could not be published yet. */
export function failedPathsAmong(db: Database, paths: readonly string[]): string[] {
  const rows = db.all<{ path: string }>(sql`
    select distinct page.value as path from ${publishJobs}, json_each(${publishJobs.paths}) page
    where ${gt(publishJobs.attempts, 0)} and ${inArray(sql`page.value`, [...paths])}`);
  return rows.map(({ path }) => path);
}

export function countFailedPages(db: Database): number {
  const row = db
    .select({ pages: sql<number | null>`sum(json_array_length(${publishJobs.paths}))` })
    .from(publishJobs)
    .where(gt(publishJobs.attempts, 0))
    .get();
  return row?.pages ?? 0;
}

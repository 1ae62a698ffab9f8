import { day, second } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { publishJobs } from '@app/db/schema/publishing';
import { asc, count, getTableName, gt, notBetween, sql } from 'drizzle-orm';
import { batchesOf } from '../batches.ts';
import type { Clock } from '../clock.ts';
import { exponentialBackoff } from '../exponential-backoff.ts';

/** Between retries, in milliseconds. */
export const maxDelay = 600 * second;

/** Jobs are small because readers and other authors wait for one at most. */
const maxPagesPerJob = 16;

/** Call it in the transaction that changes the pages. */
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

/** Oldest first: ids are assigned in the order of commits. */
export const jobsAfter = (db: Database, id: number): PublishJob[] =>
  db.select().from(publishJobs).where(gt(publishJobs.id, id)).orderBy(asc(publishJobs.id)).all();

export const countJobsAfter = (db: Database, id: number): number =>
  db.select({ jobs: count() }).from(publishJobs).where(gt(publishJobs.id, id)).get()?.jobs ?? 0;

/** Id of the newest job ever added, even if it was deleted. 0 if there has been none. */
export const newestJob = (db: Database): number =>
  db.get<{ id: number } | undefined>(
    sql`SELECT seq AS id FROM sqlite_sequence WHERE name = ${getTableName(publishJobs)}`,
  )?.id ?? 0;

export interface JobDeps {
  db: Database;
  clock: Clock;
}

/**
 * Deletes jobs older than a day, and those stored while the clock was ahead. A server that has not
 * run them compares all pages with the database when it starts or notices that they are missing.
 */
export const deleteOldJobs = ({ db, clock }: JobDeps): Promise<void> =>
  deleteInBatches(
    db,
    publishJobs,
    notBetween(publishJobs.createdAt, clock.now() - day, clock.now() + day),
  );

export const retryDelay = exponentialBackoff({ first: 10 * second, max: maxDelay });

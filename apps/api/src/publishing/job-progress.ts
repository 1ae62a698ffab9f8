import type { Database } from '@app/db/open';
import { countJobsAfter, jobsAfter, newestJob, type PublishJob } from './jobs.ts';

/**
 * Which publish jobs this server has done. It reads the table that all servers share, and never
 * changes it.
 */
export function createJobProgress(db: Database) {
  /** All jobs up to this id are known. */
  let listed = 0;
  /** Listed, and not begun. */
  const waiting = new Map<number, PublishJob>();
  /** Ids of jobs that are running, queued, or whose pages are not flushed yet. */
  const active = new Set<number>();
  /** Ids of done jobs that are not listed yet. */
  const doneAhead = new Set<number>();
  /** Put back before they are listed: a replica may not have them yet. */
  const ahead = new Map<number, PublishJob>();
  /** Others were deleted before they were listed. */
  let hasMissed = false;

  return {
    /** @param id all jobs up to it are done; of a newer database if it is too high */
    startAfter(id: number): void {
      listed = Math.min(id, newestJob(db));
      waiting.clear();
      doneAhead.clear();
      ahead.clear();
      hasMissed = false;
    },

    /** Reads jobs that were added since, also by other processes. */
    list(): void {
      // First, so that jobs which are added meanwhile are not missing.
      const newest = newestJob(db);
      const jobs = jobsAfter(db, listed);
      // Ids have no gaps.
      if (jobs.filter(({ id }) => id <= newest).length < newest - listed) hasMissed = true;
      listed = Math.max(newest, jobs.at(-1)?.id ?? 0);
      for (const job of jobs) {
        if (!doneAhead.delete(job.id) && !active.has(job.id)) waiting.set(job.id, job);
      }
      for (const id of ahead.keys()) if (id <= listed) ahead.delete(id);
    },

    /** Whether jobs were deleted before this server has seen them. True once for each time. */
    takeMissed(): boolean {
      const taken = hasMissed;
      hasMissed = false;
      return taken;
    },

    waiting: (): PublishJob[] => [...waiting.values()],

    begin({ id }: PublishJob): void {
      waiting.delete(id);
      active.add(id);
    },

    /** It was not run after all. */
    putBack(job: PublishJob): void {
      active.delete(job.id);
      (job.id <= listed ? waiting : ahead).set(job.id, job);
    },

    /** Whether a job for this path was put back before it is listed. */
    isAhead: (path: string): boolean => ahead.values().some(({ paths }) => paths.includes(path)),

    /** Its pages are on the disk, or are known to have failed. */
    finish({ id }: PublishJob): void {
      active.delete(id);
      waiting.delete(id);
      if (id > listed) doneAhead.add(id);
    },

    /** All jobs up to this id are done, as soon as `finishing` are. */
    doneUpTo(finishing: readonly PublishJob[]): number {
      const ending = new Set(finishing.map(({ id }) => id));
      let first = listed + 1;
      for (const ids of [waiting.keys(), active]) {
        for (const id of ids) if (!ending.has(id)) first = Math.min(first, id);
      }
      return first - 1;
    },

    /** The number of jobs that are not done. */
    depth(): number {
      const behind = [...active].filter((id) => id <= listed).length;
      return waiting.size + behind + countJobsAfter(db, listed) - doneAhead.size;
    },
  };
}

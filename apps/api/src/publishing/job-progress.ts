import type { Database } from '@app/db/open';
import { countJobsAfter, jobsAfter, newestJob, type PublishJob } from './jobs.ts';

/**
 * Tracks which publish jobs this server has done. All servers share the table of jobs, so this only
 * reads it.
 */
export function createJobProgress(db: Database) {
  /** All jobs up to this id have been read. */
  let listed = 0;
  /** Listed jobs that have not begun. */
  const waiting = new Map<number, PublishJob>();
  /** Ids of jobs that are running, queued, or whose pages are not flushed yet. */
  const active = new Set<number>();
  /** Ids of done jobs that are not listed yet. */
  const doneAhead = new Set<number>();
  /** Jobs that were put back before they are listed, because a replica may not have them yet. */
  const ahead = new Map<number, PublishJob>();
  let hasMissed = false;

  return {
    /** @param id all jobs up to it are done. Too high if the database was replaced by an older one. */
    startAfter(id: number): void {
      listed = Math.min(id, newestJob(db));
      waiting.clear();
      doneAhead.clear();
      ahead.clear();
      hasMissed = false;
    },

    /** Reads the jobs that this and other processes have added since the last call. */
    list(): void {
      // Read first, so that jobs added in between do not count as missing.
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

    /** Whether jobs were deleted before this server saw them. Resets to false. */
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

    /** For a job that did not run after `begin`. */
    putBack(job: PublishJob): void {
      active.delete(job.id);
      (job.id <= listed ? waiting : ahead).set(job.id, job);
    },

    isAhead: (path: string): boolean => ahead.values().some(({ paths }) => paths.includes(path)),

    /** For a job whose pages are on the disk, or recorded as failed. */
    finish({ id }: PublishJob): void {
      active.delete(id);
      waiting.delete(id);
      if (id > listed) doneAhead.add(id);
    },

    /** @returns the id up to which all jobs are done once `finishing` are */
    doneUpTo(finishing: readonly PublishJob[]): number {
      const ending = new Set(finishing.map(({ id }) => id));
      let first = listed + 1;
      for (const ids of [waiting.keys(), active]) {
        for (const id of ids) if (!ending.has(id)) first = Math.min(first, id);
      }
      return first - 1;
    },

    depth(): number {
      const behind = [...active].filter((id) => id <= listed).length;
      return waiting.size + behind + countJobsAfter(db, listed) - doneAhead.size;
    },
  };
}

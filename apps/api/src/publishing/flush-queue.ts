import { setTimeout as pause } from 'node:timers/promises';
import type { PublishJob } from './jobs.ts';
import type { PageRecord } from './manifest.ts';
import type { Release } from './release.ts';
import { type Failures, flushPages } from './update-pages.ts';

/** Not while the response is on its way, and once for jobs that follow each other. */
const delay = 100;

/** Pages of a job whose new files are in place. */
export interface Written {
  job: PublishJob;
  release: Release;
  pages: ReadonlyMap<string, PageRecord>;
}

/**
 * Flushes published pages to the disk after their authors were answered. Jobs that arrive during a
 * flush share the next one. A job stays in the database until its pages are flushed, so that after a
 * power cut the start renders them again.
 * @param settle jobs with the same result. Must not throw.
 */
export function createFlushQueue(settle: (jobs: PublishJob[], failed: Failures) => Promise<void>) {
  const waiting: Written[] = [];
  const unsettled = new Set<number>();
  let working: Promise<void> | undefined;

  async function flushWaiting(): Promise<void> {
    for (let [first] = waiting; first; [first] = waiting) {
      await pause(delay);
      const { release } = first;
      const batch = waiting.splice(0);
      const pages = new Map(batch.flatMap((written) => [...written.pages]));
      const failed = await flushPages(release, pages);
      await settle(
        batch.map(({ job }) => job),
        failed,
      );
      for (const { job } of batch) unsettled.delete(job.id);
    }
    working = undefined;
  }

  return {
    /** All of one release until `settled`. */
    add(written: Written): void {
      waiting.push(written);
      unsettled.add(written.job.id);
      working ??= flushWaiting();
    },

    has: (id: number): boolean => unsettled.has(id),

    async settled(): Promise<void> {
      await working;
    },
  };
}

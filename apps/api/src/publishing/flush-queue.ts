import { setTimeout as pause } from 'node:timers/promises';
import type { PublishJob } from './jobs.ts';
import type { PageRecord } from './manifest-lines.ts';
import type { Release } from './release.ts';

/** Milliseconds. Lets the response go out first, and collects jobs that follow each other. */
const delay = 100;

export interface Written {
  /** Undefined for retried pages. */
  job: PublishJob | undefined;
  release: Release;
  pages: ReadonlyMap<string, PageRecord>;
}

export interface WrittenTogether {
  jobs: PublishJob[];
  release: Release;
  pages: ReadonlyMap<string, PageRecord>;
}

/**
 * Flushes published pages to the disk after their authors got a response. Jobs that arrive during a
 * flush share the next one. A job counts as done only when its pages are flushed, so after a power
 * cut, the next start renders them again.
 * @param flush must not throw
 */
export function createFlushQueue(flush: (written: WrittenTogether) => Promise<void>) {
  const waiting: Written[] = [];
  let working: Promise<void> | undefined;

  async function flushWaiting(): Promise<void> {
    for (let [first] = waiting; first; [first] = waiting) {
      await pause(delay);
      const { release } = first;
      const batch = waiting.splice(0);
      const pages = new Map(batch.flatMap((written) => [...written.pages]));
      await flush({ jobs: batch.flatMap(({ job }) => job ?? []), release, pages });
    }
    working = undefined;
  }

  return {
    /** Pages of another release can be added only after `settled`. */
    add(written: Written): void {
      waiting.push(written);
      working ??= flushWaiting();
    },

    async settled(): Promise<void> {
      await working;
    },
  };
}

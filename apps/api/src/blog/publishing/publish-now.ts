import type { Publishing } from '@app/contract/blog/posts';
import type { Transaction } from '@app/db/open';
import type { PublishResult } from '../../publishing/job-queue.ts';
import { insertPublishJob, insertPublishJobs, type PublishJob } from '../../publishing/jobs.ts';
import type { SiteFile } from '../../server/site-files.ts';
import type { Deps } from '../deps.ts';
import { postPath } from '../pages/post-paths.ts';

interface ChangeJobs {
  /** The author waits for it. */
  job: PublishJob;
  backgroundJobs: PublishJob[];
}

/**
 * Call in the transaction of the change.
 * @param first the paths that the author waits for; by default all
 */
export const insertChangeJobs = (
  tx: Transaction,
  now: number,
  paths: readonly string[],
  first = paths,
): ChangeJobs => ({
  job: insertPublishJob(tx, now, first),
  backgroundJobs: insertPublishJobs(
    tx,
    now,
    paths.filter((path) => !first.includes(path)),
  ),
});

interface Visibility {
  slug: string;
  was: boolean;
  is: boolean;
}

/** Runs the job of a change, and reports what readers get. Does not wait for `backgroundJobs`. */
export function createPublishNow({ publisher, siteFiles }: Pick<Deps, 'publisher' | 'siteFiles'>) {
  return async (
    { job, backgroundJobs }: ChangeJobs,
    visibility: Visibility,
    began: number,
  ): Promise<Publishing> => {
    try {
      const result = await publisher.publish(job);
      return await publishingOf(result, visibility, siteFiles, began);
    } finally {
      // Started last, because rendering these pages would delay the reply.
      void publisher.publishInBackground(backgroundJobs);
    }
  };
}

async function publishingOf(
  result: PublishResult,
  { slug, was, is }: Visibility,
  siteFiles: Deps['siteFiles'],
  began: number,
): Promise<Publishing> {
  if (!was && !is) return { state: 'draft' };
  const path = postPath(slug);
  const waiting = result.state === 'pending' ? result.pages : [];
  const isOwnPageDone = waiting.length > 0 && waiting.every((page) => page.path !== path);
  if (result.state === 'pending' && !isOwnPageDone) {
    const { state, reason, pages } = result;
    return { state, reason, pages };
  }
  const served = await readBack(siteFiles, [path, ...result.written, ...result.removed]);
  const milliseconds = Math.round((performance.now() - began) * 10) / 10;
  const report = {
    path,
    milliseconds,
    written: result.written.filter((changed) => served.get(changed)),
    removed: result.removed.filter((changed) => !served.get(changed)),
    ...(waiting.length > 0 && { pending: waiting }),
  };
  if (!is) return { state: 'removed', ...report };
  const file = served.get(path);
  if (!file) return { state: 'pending', reason: 'The page is not served yet.', pages: waiting };
  return { state: 'live', hash: file.representations.hash, ...report };
}

/** The files that readers get at these paths. */
async function readBack(
  siteFiles: Deps['siteFiles'],
  paths: readonly string[],
): Promise<Map<string, SiteFile | null>> {
  const files = paths.map(async (path) => [path, await siteFiles.load(path)] as const);
  return new Map(await Promise.all(files));
}

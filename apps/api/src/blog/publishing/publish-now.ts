import type { Publishing } from '@app/contract/blog/posts';
import type { Change } from '../../publishing/log.ts';
import type { PublishResult } from '../../publishing/publisher.ts';
import type { SiteFile } from '../../server/site-files.ts';
import type { Deps } from '../deps.ts';
import { postPath } from '../pages/post-paths.ts';

interface Visibility {
  slug: string;
  was: boolean;
  is: boolean;
}

/** Renders the pages that the author waits for, and reports what readers get. */
export function createPublishNow({ publisher, siteFiles }: Pick<Deps, 'publisher' | 'siteFiles'>) {
  return async (change: Change, visibility: Visibility, began: number): Promise<Publishing> => {
    try {
      const result = await publisher.publish(change);
      return await publishingOf(result, visibility, siteFiles, began);
    } finally {
      // Last, because rendering the other pages would delay the reply.
      publisher.wake();
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

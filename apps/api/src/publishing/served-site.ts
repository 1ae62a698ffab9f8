import pLimit from 'p-limit';
import { batchesOf } from '../batches.ts';
import type { Log } from '../log.ts';
import type { SiteFiles } from '../server/site-files.ts';
import { createCards } from './cards.ts';
import { everything } from './hook-changes.ts';
import type { IsRedirectPage } from './pages.ts';
import type { PublishHook } from './publish-hook.ts';
import type { Release } from './release.ts';
import {
  type Failures,
  flushUpdate,
  type PageFailure,
  type PageSource,
  type Update,
  updatePages,
} from './update-pages.ts';

/** Also limits open files. */
export const pagesAtOnce = 64;

interface ServedSiteParts {
  log: Log;
  source: PageSource;
  isRedirectPage: IsRedirectPage;
  siteFiles: SiteFiles;
  hook: Pick<PublishHook, 'note'>;
}

export type ServedSite = ReturnType<typeof createServedSite>;

/** The release that readers get, and everything that follows a change of its pages. */
export function createServedSite({
  log,
  source,
  isRedirectPage,
  siteFiles,
  hook,
}: ServedSiteParts) {
  const { pages, renderer } = source;
  /** Pages change only under this lock. */
  const lock = pLimit(1);
  const cards = createCards({ log, siteFiles, renderer });
  let release: Release | undefined;
  let recordedChanges: Set<string> | undefined;

  // Redirect pages are for static hosts; here the app redirects.
  const isRedirect = (path: string): boolean => {
    const page = release?.manifest.get(path);
    return page !== undefined && isRedirectPage(path, page.version);
  };
  siteFiles.hide(isRedirect);

  async function update(of: Release, paths: Iterable<string>): Promise<Update> {
    const changed = (changedPaths: Iterable<string>) => {
      const all = [...changedPaths];
      siteFiles.invalidate(all);
      hook.note(all);
    };
    const result = await updatePages(of, paths, source, changed);
    cards.update(result.paths);
    for (const path of result.paths) recordedChanges?.add(path);
    return result;
  }

  return {
    lock,

    /** Undefined until the first site is published. */
    get release(): Release | undefined {
      return release;
    },

    /** @param opened a release of an earlier process. Call `serveCards` once its files are repaired. */
    open(opened: Release): void {
      release = opened;
    },

    async replace(next: Release): Promise<void> {
      await release?.manifest.close();
      release = next;
      siteFiles.invalidateAll();
      hook.note([everything]);
      await cards.serve(next);
    },

    isServed: (path: string): boolean =>
      release?.manifest.get(path) !== undefined && !isRedirect(path),

    /** Renders pages, but does not flush them to the disk. */
    update,

    async updateAndFlush(of: Release, paths: readonly string[]): Promise<Failures> {
      const failed = new Map<string, PageFailure>();
      for (const batch of batchesOf(paths, pagesAtOnce)) {
        await pages.prepare(batch);
        const failures = await flushUpdate(of, await update(of, batch));
        for (const [path, failure] of failures) failed.set(path, failure);
      }
      return failed;
    },

    recordChanges(): void {
      recordedChanges = new Set();
    },

    /** @returns the paths that changed since `recordChanges` */
    endRecording(): string[] {
      const changes = [...(recordedChanges ?? [])];
      recordedChanges = undefined;
      return changes;
    },

    serveCards: (of: Release): Promise<void> => cards.serve(of),

    /** Resolves when no card is queued; some may have failed. */
    cardsSettled: (): Promise<void> => cards.settled(),

    /** Call it after stopping everything that changes pages. */
    async stop(): Promise<void> {
      await lock(async () => undefined);
      await release?.manifest.close();
      await cards.stop();
    },
  };
}

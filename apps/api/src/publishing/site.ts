import { existsSync } from 'node:fs';
import type { Card } from '@app/contract/pages';
import pLimit from 'p-limit';
import type { Log } from '../log.ts';
import type { SiteFiles } from '../server/site-files.ts';
import { createCards } from './cards.ts';
import type { IsRedirect } from './pages.ts';
import { fileIn, type Release } from './release.ts';
import type { PublishState } from './state.ts';
import { type PageSource, type Update, updatePages } from './update-pages.ts';

interface SiteParts {
  log: Log;
  source: PageSource;
  isRedirect: IsRedirect;
  siteFiles: SiteFiles;
  onCardsDone: () => void;
}

/** What a release was rendered from. */
export type Origin = Pick<PublishState, 'build' | 'publicUrl' | 'database' | 'createdAt'>;

export type Site = ReturnType<typeof createSite>;

/** The release that readers get. */
export function createSite({ log, source, isRedirect, siteFiles, onCardsDone }: SiteParts) {
  /** Pages change only under this lock. */
  const lock = pLimit(1);
  const cards = createCards({ log, siteFiles, renderer: source.renderer, onDone: onCardsDone });
  let served: { release: Release; origin: Origin } | undefined;

  // Redirect pages are for static hosts; here the app redirects.
  siteFiles.hide(isRedirect);

  return {
    lock,

    /** Undefined until the first site is published. */
    get release(): Release | undefined {
      return served?.release;
    },

    get origin(): Origin | undefined {
      return served?.origin;
    },

    /** @param missingCards by the path of the page */
    async serve(
      release: Release,
      origin: Origin,
      missingCards: ReadonlyMap<string, Card> = new Map(),
    ): Promise<void> {
      const { build, publicUrl, database, createdAt } = origin;
      served = { release, origin: { build, publicUrl, database, createdAt } };
      siteFiles.invalidateAll();
      await cards.serve(release, missingCards);
    },

    /** Everything has to be rendered again. */
    outdate(): void {
      if (served) served.origin = { ...served.origin, build: '' };
    },

    isServed: (path: string): boolean =>
      served !== undefined && existsSync(fileIn(served.release, path)) && !isRedirect(path),

    /** Call it under the lock. Does not flush written pages to the disk. */
    async update(of: Release, paths: readonly string[]): Promise<Update> {
      const update = await updatePages(of, paths, source, {
        removed: siteFiles.invalidate,
        replaced: (path, bytes) => siteFiles.replace(path, bytes),
      });
      cards.update(paths, update.cards);
      return update;
    },

    hasAllCards: cards.areDone,

    cardsSettled: cards.settled,

    /** Call it after stopping everything that changes pages. */
    async stop(): Promise<void> {
      await lock(async () => undefined);
      await cards.stop();
    },
  };
}

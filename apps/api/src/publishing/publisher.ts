import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PendingPage } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { batchesOf } from '../batches.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { timed } from '../server/request-time.ts';
import { serverSecret } from '../server/secrets.ts';
import { pathOf, type SiteFiles } from '../server/site-files.ts';
import { type Change, databaseIdName, logChange, newestSeq, reachesBackTo } from './log.ts';
import { createPublishLoop } from './loop.ts';
import { combinePages, type IsRedirect, type PublishedPages } from './pages.ts';
import { createPublishHook, type PublishHookSettings } from './publish-hook.ts';
import { createRebuild } from './rebuild.ts';
import { cardsOf, listFiles, openServedRelease, type Release } from './release.ts';
import type { Renderer } from './renderer.ts';
import { createSite } from './site.ts';
import type { Failures } from './update-pages.ts';

/** Paths per turn of the event loop. */
const pathsAtOnce = 500;

/** `pages` are the pending ones; empty if the whole change was put off. What readers see: a page
 * that became a redirect counts as removed. */
export type PublishResult = { written: string[]; removed: string[] } & (
  | { state: 'done' }
  | { state: 'pending'; reason: string; pages: PendingPage[] }
);

export type Publisher = ReturnType<typeof createPublisher>;

interface PublisherParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  createPages(republish: (paths: string[]) => void): readonly PublishedPages[];
  isRedirect: IsRedirect;
  renderer: Renderer;
  siteFiles: SiteFiles;
  dataDir: string;
  publicUrl: string;
  settings: { publishHook: PublishHookSettings | undefined };
}

/**
 * Keeps the published files in sync with the database. A transaction appends the paths that it
 * changes to a log; the request that made the change renders what its author waits for; a loop does
 * the rest, and remembers up to which entry everything is on the disk.
 */
export function createPublisher(parts: PublisherParts) {
  const { db, clock, log, renderer, dataDir, publicUrl } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pages = combinePages(
    parts.createPages((paths) => void republish(paths).catch(reportRepublish)),
  );
  const source = { pages, renderer, publicUrl };
  const site = createSite({ ...parts, source, onCardsDone: () => loop.wake() });
  const hook = createPublishHook({ ...parts, site, publishedSeq: () => loop.publishedSeq() });
  const loop = createPublishLoop({
    ...{ ...parts, pages, site, signal },
    renderAll,
    onPublished: hook.wake,
  });
  const origin = () => ({
    build: renderer.buildId,
    publicUrl,
    database: serverSecret(db, databaseIdName),
  });
  let findingCards = Promise.resolve();
  const rebuild = createRebuild({ ...parts, source, site, loop, origin, signal });

  function renderAll(): void {
    // So that a start begins again if this one is interrupted.
    site.outdate();
    rebuild.runInBackground();
  }

  async function republish(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    await writeTransaction(db, (tx) => logChange(tx, clock.now(), paths));
    loop.wake();
  }

  function reportRepublish(error: unknown): void {
    if (!signal.aborted) log.error({ err: error }, 'could not log pages to publish again');
  }

  async function open(): Promise<void> {
    // Already open if an earlier call of `start` failed.
    if (site.release) return void (await loop.run());
    const served = await openServedRelease(dataDir);
    if (!served) return rebuild.run();
    const { release, state } = served;
    const { build, publicUrl: url, database } = origin();
    // A database that ends before is an older copy.
    const isKnown =
      state?.database === database && newestSeq(db) >= state.tried && reachesBackTo(db, state.seq);
    const isCurrent = isKnown && state.build === build && state.publicUrl === url;
    await site.serve(release, {
      build,
      publicUrl: url,
      database,
      createdAt: state?.createdAt ?? 0,
    });
    // Its pages will be of two builds, so another start begins again.
    if (!isCurrent) site.outdate();
    loop.open(isKnown ? state.seq : newestSeq(db));
    if (isCurrent) {
      await loop.run();
      void rebuild.removeOld();
      if (!state.hasCards) findingCards = findMissingCards(release);
      void pages.retryFailed(signal).then(republish).catch(reportRepublish);
      return;
    }
    rebuild.runInBackground();
    // The old site is served until the new one is rendered, without what was withdrawn.
    if (isKnown) await loop.run();
    else await removeWithdrawn(release);
  }

  async function removeWithdrawn(release: Release): Promise<void> {
    const withdrawn: string[] = [];
    for (const names of batchesOf(await listFiles(release.folder), pathsAtOnce)) {
      withdrawn.push(...names.map(pathOf).filter(pages.isWithdrawn));
      await nextTurn();
    }
    if (withdrawn.length > 0) await loop.renderAgain(withdrawn);
  }

  /** Pages are rendered again to find out which card they need. Never throws. */
  async function findMissingCards(release: Release): Promise<void> {
    try {
      const without: string[] = [];
      for (const path of await pages.all()) {
        const isPage = !path.includes('.');
        if (isPage && (await cardsOf(release, path)).length === 0) without.push(path);
      }
      await loop.renderAgain(without);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'could not look for missing social cards');
    }
  }

  async function publishNow({ seq, first }: Change): Promise<PublishResult> {
    if (first.length === 0) return { state: 'done', written: [], removed: [] };
    if (!site.release) return putOff('The site is being published for the first time.');
    // A replica that lacks the entry also lacks the change, so it would render the old content.
    if (seq > newestSeq(db)) {
      loop.noteAhead(first, seq);
      return putOff('The change has not arrived from the database server yet.');
    }
    let failed: Failures;
    try {
      failed = await loop.updateNow(first);
    } catch (error) {
      log.error({ err: error, seq }, 'could not publish a change');
      return putOff('The pages could not be updated.');
    }
    const changes = {
      written: first.filter((path) => !failed.has(path) && site.isServed(path)),
      removed: first.filter((path) => !failed.has(path) && !site.isServed(path)),
    };
    if (failed.size === 0) return { state: 'done', ...changes };
    const pending = [...failed].map(([path, { reason }]) => ({ path, reason: `${reason}.` }));
    return { state: 'pending', reason: sentenceOf(failed), pages: pending, ...changes };
  }

  return {
    pages,

    /**
     * Syncs the files with the database and the build. Resolves as soon as the site can be served:
     * a new build is rendered in the background.
     */
    async start(): Promise<void> {
      loop.watch();
      await open();
      hook.start();
    },

    /** Publishes changes of other servers at once, instead of within a tenth of a second. */
    checkNow: loop.checkNow,

    /** Call it after the database was replaced while the server runs. */
    renderAll,

    /**
     * Renders the pages that an author waits for; call `wake` for the others. Never throws: failed
     * pages are retried.
     */
    publish: (change: Change): Promise<PublishResult> =>
      timed('publishing', () => publishNow(change)),

    /** Publishes what is logged, in the background. */
    wake: loop.wake,

    /** Like `wake`. Resolves when every page was tried. Never throws. */
    run: async (): Promise<void> => {
      if (site.release && !signal.aborted) await loop.run();
    },

    /** Resolves when the loop has tried what it was woken for. */
    idle: loop.idle,

    /** Resolves when no page is being rendered, neither of a new build. Cards may be missing. */
    async settled(): Promise<void> {
      await rebuild.settled();
      await loop.idle();
    },

    /** Resolves when every social card was tried; some may have failed. */
    async cardsSettled(): Promise<void> {
      await findingCards;
      await site.cardsSettled();
    },

    /** The number of pages that are not published yet. */
    depth: loop.depth,

    /** Pages whose last update failed, by path. */
    failures: loop.failures,

    /** Whether this server has stored a change of this page but cannot read it yet. */
    isAhead: loop.isAhead,

    /** How long the last update took, in milliseconds; null before the first one. */
    lastDuration: loop.lastDuration,

    async stop(): Promise<void> {
      stopping.abort();
      await findingCards;
      await rebuild.stop();
      await loop.stop();
      await hook.stop();
      await site.stop();
    },
  };
}

const putOff = (reason: string): PublishResult => ({
  state: 'pending',
  reason,
  pages: [],
  written: [],
  removed: [],
});

function sentenceOf(failed: Failures): string {
  const [first] = failed;
  if (!first) throw new Error('no failed pages');
  const [path, { reason }] = first;
  const others = failed.size - 1;
  if (others === 0) return `${path} ${reason}.`;
  return `${path} ${reason}, nor could ${others} other ${others === 1 ? 'page' : 'pages'}.`;
}

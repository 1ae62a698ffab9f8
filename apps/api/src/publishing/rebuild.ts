import type { Database } from '@app/db/open';
import { batchesOf } from '../batches.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { type RenderedSite, renderSite } from './full-render.ts';
import { entriesAfter, everything, newestSeq } from './log.ts';
import type { PublishLoop } from './loop.ts';
import {
  copyStaticFiles,
  flush,
  isHashedAsset,
  listAssets,
  listFiles,
  type Release,
  removeOtherReleases,
  serveRelease,
} from './release.ts';
import type { Origin, Site } from './site.ts';
import { writeState } from './state.ts';
import { type PageSource, unseen, updatePages } from './update-pages.ts';

const retryMilliseconds = 60_000;

/** Pages per batch that changed while all pages were rendered. */
const pagesAtOnce = 64;

const healthSource = 'new build';

interface RebuildParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  source: PageSource;
  site: Site;
  loop: PublishLoop;
  /** What the next release is rendered from. */
  origin: () => Omit<Origin, 'createdAt'>;
  dataDir: string;
  signal: AbortSignal;
}

/** Renders all pages into a new folder, and serves it: for the first site, a new build, … */
export function createRebuild(parts: RebuildParts) {
  const { db, clock, log, health, source, site, loop, origin, dataDir, signal } = parts;
  const { renderer, pages, publicUrl } = source;
  let running: Promise<void> | undefined;
  let removing = Promise.resolve();
  let isRequested = false;
  let retryTimer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    const began = performance.now();
    const served = site.release && { ...site.release, createdAt: site.origin?.createdAt ?? 0 };
    // Before anything is updated with the new build, because its pages refer to these assets.
    if (served) await site.lock(() => addNewAssets(served));
    // Frees space for the new release.
    await removeOld();
    const seq = newestSeq(db);
    const unlogged = pages.unlogged.version();
    const next = { ...origin(), createdAt: clock.now() };
    const isStopped = () => signal.aborted;
    const rendered = await renderSite({
      dataDir,
      source,
      served,
      now: clock.now(),
      log,
      isStopped,
    });
    const { release, failed, missingCards } = rendered;
    // What changed meanwhile: most of it before requests have to wait.
    const caughtUp = await catchUp(rendered, seq, unlogged);
    await site.lock(async () => {
      const { seq: upTo } = await catchUp(rendered, caughtUp.seq, caughtUp.unlogged);
      await flush(release);
      const hasCards = missingCards.size === 0;
      await writeState(release.folder, { ...next, seq: upTo, tried: upTo, hasCards });
      await serveRelease(dataDir, release, log);
      await site.serve(release, next, missingCards);
      loop.open(upTo, failed);
    });
    void removeOld();
    const milliseconds = Math.round(performance.now() - began);
    log.info({ pages: rendered.pages, milliseconds }, 'republished all pages');
    loop.wake();
  }

  /** @returns the entry up to which the release has all changes */
  async function catchUp(
    { release, failed, missingCards }: RenderedSite,
    seq: number,
    unlogged: string,
  ): Promise<{ seq: number; unlogged: string }> {
    const upTo = { seq: newestSeq(db), unlogged: pages.unlogged.version() };
    const logged = [...entriesAfter(db, seq)].flat().map(({ path }) => path);
    const also = upTo.unlogged === unlogged ? [] : pages.unlogged.paths();
    const paths = new Set([...logged, ...also]);
    paths.delete(everything);
    for (const batch of batchesOf([...paths], pagesAtOnce)) {
      await pages.prepare(batch);
      const update = await updatePages(release, batch, source, unseen);
      for (const path of batch) {
        failed.delete(path);
        missingCards.delete(path);
      }
      for (const [path, failure] of update.failed) failed.set(path, failure);
      for (const [path, card] of update.cards) missingCards.set(path, card);
    }
    return upTo;
  }

  /**
   * Pages that change during a rebuild refer to the new build's assets. Assets that both builds have
   * are skipped, because they are being served.
   */
  async function addNewAssets(release: Release): Promise<void> {
    const present = new Set(await listAssets(release));
    const names = await listFiles(renderer.staticFiles);
    const missing = names.filter((name) => isHashedAsset(name) && !present.has(name));
    if (missing.length === 0) return;
    await copyStaticFiles(renderer, missing, release, { publicUrl, now: clock.now() });
    await flush(release);
  }

  async function remove(): Promise<void> {
    try {
      await removeOtherReleases(dataDir, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'could not remove old releases; the next start tries again');
    }
  }

  /** Never throws: old releases only take up space. Not while a release is being created. */
  function removeOld(): Promise<void> {
    removing = removing.then(remove);
    return removing;
  }

  async function runAndRetry(): Promise<void> {
    while (isRequested && !signal.aborted) {
      isRequested = false;
      try {
        await run();
        health.clear(healthSource);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'could not publish the new build; still serving the old one');
        health.report(healthSource, 'The new build could not be published, and will be retried.');
        clearTimeout(retryTimer);
        retryTimer = setTimeout(runInBackground, retryMilliseconds).unref();
      }
    }
  }

  function runInBackground(): void {
    isRequested = true;
    running ??= runAndRetry().finally(() => {
      running = undefined;
    });
  }

  return {
    run,

    /** Retries until it succeeds; the old release is served in the meantime. */
    runInBackground,

    removeOld,

    async settled(): Promise<void> {
      await running;
      await removing;
    },

    async stop(): Promise<void> {
      clearTimeout(retryTimer);
      await running;
      await removing;
    },
  };
}

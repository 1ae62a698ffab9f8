import { batchesOf } from '../batches.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { renderSite } from './full-render.ts';
import type { JobQueue } from './job-queue.ts';
import type { OldReleases } from './old-releases.ts';
import {
  copyStaticFiles,
  flush,
  isHashedAsset,
  listAssets,
  listFiles,
  type Release,
  serveRelease,
} from './release.ts';
import { pagesAtOnce, type ServedSite } from './served-site.ts';
import { flushUpdate, type PageSource, updatePages } from './update-pages.ts';

const retryMilliseconds = 60_000;

const healthSource = 'new build';

interface RebuildParts {
  clock: Clock;
  log: Log;
  health: Health;
  source: PageSource;
  site: ServedSite;
  jobs: JobQueue;
  oldReleases: OldReleases;
  dataDir: string;
  signal: AbortSignal;
}

/** Renders and publishes all pages: for the first site, a new build, or another public URL. */
export function createRebuild(parts: RebuildParts) {
  const { clock, log, health, source, site, jobs, oldReleases, dataDir, signal } = parts;
  const { renderer } = source;
  let running: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    const began = performance.now();
    const { release: served } = site;
    // Before any job runs, because pages of jobs refer to these assets.
    if (served) await site.lock(() => addNewAssets(served));
    // Frees space for the new release.
    await oldReleases.remove();
    if (!served) jobs.skipAll();
    site.recordChanges();
    const isStopped = () => signal.aborted;
    const options = { dataDir, source, served, now: clock.now(), log, isStopped };
    const rendered = await renderSite(options);
    const { release, failed } = rendered;

    await site.lock(async () => {
      try {
        for (const batch of batchesOf(site.endRecording(), pagesAtOnce)) {
          const update = await updatePages(release, batch, source, () => undefined);
          for (const path of update.paths) failed.delete(path);
          for (const [path, failure] of await flushUpdate(release, update)) {
            failed.set(path, failure);
          }
        }
        await jobs.flushed();
        await jobs.record(release, [], failed);
        await serveRelease(dataDir, release, log);
      } catch (error) {
        // The next attempt removes its files.
        await release.manifest.close();
        throw error;
      }
      await site.replace(release);
      jobs.wake();
    });
    void oldReleases.remove();
    const milliseconds = Math.round(performance.now() - began);
    log.info({ pages: rendered.pages, milliseconds }, 'republished all pages');
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
    await copyStaticFiles(renderer, missing, release);
    await flush(release);
  }

  async function runAndRetry(): Promise<void> {
    try {
      await run();
      health.clear(healthSource);
    } catch (error) {
      site.endRecording();
      if (signal.aborted) return;
      log.error({ err: error }, 'could not publish the new build; still serving the old one');
      health.report(healthSource, 'The new build could not be published, and will be retried.');
      retryTimer = setTimeout(runInBackground, retryMilliseconds).unref();
    }
  }

  function runInBackground(): void {
    running = runAndRetry();
  }

  return {
    run,

    /** Retries until it succeeds; the old release is served in the meantime. */
    runInBackground,

    async settled(): Promise<void> {
      await running;
    },

    async stop(): Promise<void> {
      clearTimeout(retryTimer);
      await running;
    },
  };
}

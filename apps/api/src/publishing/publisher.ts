import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '@app/db/open';
import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { removeFiles, replaceFiles, syncFolders } from './atomic-files.ts';
import { withSiblings } from './compression.ts';
import {
  countJobs,
  deleteJobs,
  insertPublishJob,
  type PublishJob,
  pendingJobs,
  recordFailure,
} from './jobs.ts';
import type { ManifestEntry, ReleaseOrigin } from './manifest.ts';
import { createPages, listPaths, monthIndexPaths, monthOfPath, samplePaths } from './pages.ts';
import {
  copyStaticFiles,
  createRelease,
  flush,
  listFiles,
  openServedRelease,
  type Release,
  removeOtherReleases,
  serveRelease,
  writeWithSiblings,
} from './release.ts';
import type { Renderer } from './renderer.ts';
import { fileOf, type SiteFiles } from './site-files.ts';

/** How long after a failure the waiting jobs are tried again. */
const retryMilliseconds = 10_000;

/** How many pages of a new release are compressed and written while the next are rendered. */
const pagesUnderway = 8;

export type PublishResult = { state: 'done' } | { state: 'pending'; reason: string };

export type Publisher = ReturnType<typeof createPublisher>;

interface PublisherParts {
  db: Database;
  clock: Clock;
  log: Log;
  renderer: Renderer;
  siteFiles: SiteFiles;
  dataDir: string;
  publicUrl: string;
}

/**
 * Keeps the published files as the database says they should be.
 *
 * A job names paths, never contents: what a path shows is asked of the database
 * when it is rendered. So jobs may be done twice, late, or in any order, and the
 * files still come out right.
 */
export function createPublisher(parts: PublisherParts) {
  const { db, clock, log, renderer, siteFiles, dataDir, publicUrl } = parts;
  const origin: ReleaseOrigin = { buildId: renderer.buildId, publicUrl };
  const pages = createPages(db);
  const exclusively = pLimit(1);
  let served: Release | undefined;
  /** While a new release is made: the paths that changed meanwhile. */
  let changedMeanwhile: Set<string> | undefined;
  let rebuilding: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let rebuildTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Makes the files of the paths, and of the pages that follow from them, what they should be. */
  async function bringUpToDate(release: Release, paths: Iterable<string>): Promise<void> {
    const { manifest } = release;
    const todo = new Set(paths);
    const hasSamples = samplePaths.some((path) => manifest.get(path)?.version.startsWith('sample:'));
    if (hasSamples !== pages.showsSamples()) {
      for (const path of [...samplePaths, ...listPaths, ...monthIndexPaths]) todo.add(path);
    }

    const files = new Map<string, Uint8Array>();
    const gone: string[] = [];
    const changes = new Map<string, ManifestEntry | null>();
    // The set grows while it is walked: a month that comes or goes brings the pages that name it.
    for (const path of todo) {
      const page = await pages.at(path);
      const before = manifest.get(path);
      if (monthOfPath(path) && (page === null) !== (before === undefined)) {
        for (const index of monthIndexPaths) todo.add(index);
      }
      const file = join(release.folder, fileOf(path) ?? '');
      if (page === null) {
        gone.push(file, `${file}.br`, `${file}.gz`);
        if (before) changes.set(path, null);
        continue;
      }
      const bytes = Buffer.from(await renderer.render(path, page.data));
      const siblings = await withSiblings(bytes, 'now');
      for (const [ending, content] of Object.entries(siblings)) files.set(file + ending, content);
      changes.set(path, { version: page.version, hash: sha256(bytes) });
    }

    await replaceFiles(files);
    await removeFiles(gone);
    await syncFolders(gone.map(dirname).filter((folder) => existsSync(folder)));
    await manifest.record(changes);
    if (release === served) siteFiles.forget(todo);
    for (const path of todo) changedMeanwhile?.add(path);
  }

  async function tryJob(job: PublishJob): Promise<PublishResult> {
    if (!served) return { state: 'pending', reason: 'The site is being published for the first time.' };
    try {
      await bringUpToDate(served, job.paths);
      await deleteJobs(db, [job]);
      return { state: 'done' };
    } catch (error) {
      log.error({ err: error, job: job.id, paths: job.paths }, 'pages could not be published');
      await recordFailure(db, job, String(error));
      retryLater();
      return { state: 'pending', reason: 'The pages could not be written just now.' };
    }
  }

  function retryLater(): void {
    if (isStopped) return;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => {
      retryPending().catch((error: unknown) => {
        log.error({ err: error }, 'the waiting pages could not be looked up');
        retryLater();
      });
    }, retryMilliseconds).unref();
  }

  async function retryPending(): Promise<void> {
    for (const job of await pendingJobs(db)) {
      const result = await exclusively(() => tryJob(job));
      if (result.state === 'pending') return;
    }
  }

  /** Renders the whole site into a new release and serves it in place of the old one. */
  async function rebuild(): Promise<void> {
    const began = performance.now();
    const jobs = await pendingJobs(db);
    const names = await listFiles(renderer.staticFiles);
    if (served) {
      // Pages that change from now on refer to the new build's assets.
      await copyStaticFiles(renderer.staticFiles, names.filter(isHashedAsset), served);
    }
    changedMeanwhile = new Set();
    const release = await createRelease(dataDir, origin);
    await copyStaticFiles(renderer.staticFiles, names, release);
    const count = await renderAll(release);
    await flush(release);

    await exclusively(async () => {
      const missed = changedMeanwhile ?? [];
      changedMeanwhile = undefined;
      await bringUpToDate(release, missed);
      await serveRelease(dataDir, release);
      await served?.manifest.close();
      served = release;
      siteFiles.forgetAll();
      await deleteJobs(db, jobs);
      await removeOtherReleases(dataDir, release);
    });
    const milliseconds = Math.round(performance.now() - began);
    log.info({ pages: count, milliseconds }, 'the whole site is published anew');
  }

  async function renderAll(release: Release): Promise<number> {
    const wanted = await pages.all();
    const entries = new Map<string, ManifestEntry>();
    const limit = pLimit(pagesUnderway);
    const underway = new Set<Promise<void>>();
    let failure: unknown;
    for (const path of wanted.keys()) {
      if (isStopped || failure) break;
      const page = await pages.at(path);
      if (!page) continue;
      let html: string;
      try {
        html = await renderer.render(path, page.data);
      } catch (error) {
        // One page that cannot be drawn must not keep the others from their readers.
        log.error({ err: error, path }, 'a page could not be rendered and is left out');
        await insertPublishJob(db, clock.now(), [path]);
        retryLater();
        continue;
      }
      const bytes = Buffer.from(html);
      entries.set(path, { version: page.version, hash: sha256(bytes) });
      const file = join(release.folder, fileOf(path) ?? '');
      const writing = limit(() => writeWithSiblings(file, bytes, 'now'))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => underway.delete(writing));
      underway.add(writing);
      if (underway.size >= pagesUnderway) await Promise.race(underway);
    }
    await Promise.all(underway);
    if (failure) throw failure;
    if (isStopped) throw new Error('stopped before the site was published');
    await release.manifest.record(entries);
    return entries.size;
  }

  /** Finds what is missing, stale or left over in the served release, and mends it. */
  async function reconcile(release: Release): Promise<void> {
    const wanted = await pages.all();
    const stale = new Set<string>();
    for (const [path, version] of wanted) {
      const entry = release.manifest.get(path);
      if (entry?.version !== version) stale.add(path);
    }
    for (const [path] of release.manifest.entries()) if (!wanted.has(path)) stale.add(path);

    const present = new Set(await listFiles(release.folder));
    const expected = new Set<string>();
    for (const path of wanted.keys()) {
      const file = fileOf(path) ?? '';
      const all = [file, `${file}.br`, `${file}.gz`];
      for (const name of all) expected.add(name);
      if (!all.every((name) => present.has(name))) stale.add(path);
    }
    const statics = await listFiles(renderer.staticFiles);
    const missingStatics = statics.filter((name) => !present.has(name));
    for (const name of statics) {
      for (const ending of ['', '.br', '.gz']) expected.add(name + ending);
    }
    const leftOver = [...present].filter((name) => !expected.has(name));

    // A backup of the one or the other was restored: every page that names posts is in doubt.
    if (stale.size > 0) for (const [path, version] of wanted) if (version === '') stale.add(path);
    const jobs = await pendingJobs(db);
    for (const { paths } of jobs) {
      for (const path of [...paths, ...listPaths, ...monthIndexPaths]) stale.add(path);
    }
    if (missingStatics.length > 0) {
      await copyStaticFiles(renderer.staticFiles, missingStatics, release);
    }
    await removeFiles(leftOver.map((name) => join(release.folder, name)));
    await bringUpToDate(release, stale);
    await deleteJobs(db, jobs);
    const found = {
      stale: stale.size,
      leftOver: leftOver.length,
      missing: missingStatics.length,
    };
    if (found.stale + found.leftOver + found.missing > 0) log.info(found, 'the published files were mended');
    await removeOtherReleases(dataDir, release);
  }

  async function rebuildInBackground(): Promise<void> {
    try {
      await rebuild();
    } catch (error) {
      changedMeanwhile = undefined;
      if (isStopped) return;
      log.error({ err: error }, 'the new build could not be published; the old one stays');
      rebuildTimer = setTimeout(() => {
        rebuilding = rebuildInBackground();
      }, 6 * retryMilliseconds).unref();
    }
  }

  return {
    pages,

    /**
     * Brings the files in line with the database and the build. Returns as soon as
     * readers can be served: a new build replaces the old one in the background.
     */
    async start(): Promise<void> {
      served = (await openServedRelease(dataDir)) ?? undefined;
      if (!served) return rebuild();
      const { buildId, publicUrl: url } = served.manifest.origin;
      if (buildId === origin.buildId && url === origin.publicUrl) return reconcile(served);
      rebuilding = rebuildInBackground();
    },

    /** Does a committed job now. Never throws: what fails stays in the table and is tried again. */
    publish: (job: PublishJob): Promise<PublishResult> => exclusively(() => tryJob(job)),

    /** Resolves when no new release is being made. */
    settled: async (): Promise<void> => rebuilding,

    /** How many jobs wait. */
    depth: (): Promise<number> => countJobs(db),

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(retryTimer);
      clearTimeout(rebuildTimer);
      await rebuilding;
      await exclusively(async () => undefined);
      await served?.manifest.close();
    },
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Assets that carry their hash in the name: two builds' files lie side by side. */
const isHashedAsset = (name: string): boolean => name.startsWith('_astro/');

import { renameSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { removeFiles } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';
import type { SiteFiles } from '../server/site-files.ts';
import type { compress } from './compression.ts';
import type { Release } from './release.ts';
import { pageFile } from './update-pages.ts';

const endings = ['.br', '.gz'] as const;

const idleTimeout = 5_000;

/** A page takes 0.1 s, but a process with the lowest priority may have to wait. */
const timeoutMilliseconds = 300_000;

interface RecompressionParts {
  log: Log;
  siteFiles: Pick<SiteFiles, 'invalidate'>;
  /** Pages do not change while `work` runs. */
  lock<T>(work: () => Promise<T>): Promise<T>;
  /** How long no page must have changed. */
  quietMilliseconds?: number;
}

/**
 * Compresses lightly compressed pages again, as well as possible, while nothing is being published:
 * one at a time, in a child process with the lowest priority. The manifest records which pages are
 * left, so this continues after a restart. A file keeps its ETag, because its content is the same and
 * ranges count uncompressed bytes.
 */
export function createRecompression({
  log,
  siteFiles,
  lock,
  quietMilliseconds = 2_000,
}: RecompressionParts) {
  const pool = createProcessPool<string, ReturnType<typeof compress>>({
    filename: programFile('recompress-process', import.meta),
    maxThreads: 1,
    idleTimeout,
    timeout: timeoutMilliseconds,
    log,
  });
  const queued = new Set<string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let release: Release | undefined;
  let working: Promise<void> | undefined;
  let lastChangeAt = 0;

  async function waitUntilQuiet(): Promise<void> {
    for (;;) {
      const wait = lastChangeAt + quietMilliseconds - performance.now();
      if (wait <= 0) return;
      await pause(wait, undefined, { ref: false, signal });
    }
  }

  async function recompressQueued(): Promise<void> {
    // The set can grow during the iteration, which then includes the new paths.
    for (const path of queued) {
      await waitUntilQuiet();
      queued.delete(path);
      await recompress(path);
    }
  }

  async function recompress(path: string): Promise<void> {
    const from = release;
    const record = from?.manifest.get(path);
    if (!from || !record?.isLight) return;
    const file = pageFile(from, path);
    // Next to the release, whose folder can be removed at any time. This process writes it, because
    // the child process of a killed server could still overwrite a file of the next server.
    const to = { '.br': `${from.folder}.recompressed.br`, '.gz': `${from.folder}.recompressed.gz` };
    try {
      const siblings = await pool.run(file);
      for (const ending of endings) await writeFile(to[ending], siblings[ending], { flush: true });
      await lock(async () => {
        // Another record means that the page has changed in the meantime.
        if (release !== from || from.manifest.get(path) !== record) return;
        for (const ending of endings) renameSync(to[ending], file + ending);
        siteFiles.invalidate([path]);
        await from.manifest.recordUnflushed(path, { ...record, isLight: false });
      });
    } catch (error) {
      if (release === from && !signal.aborted)
        log.warn({ err: error, path }, 'could not compress a page again');
    } finally {
      await removeFiles(Object.values(to));
    }
  }

  function work(): void {
    if (queued.size === 0 || signal.aborted) return;
    working ??= recompressQueued()
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'stopped compressing pages again');
      })
      .finally(() => {
        working = undefined;
        work();
      });
  }

  return {
    /** Call it after every change, even if the page was removed. */
    update(paths: Iterable<string>): void {
      lastChangeAt = performance.now();
      for (const path of paths) queued.add(path);
      work();
    },

    /** Switches to this release, and queues its lightly compressed pages. */
    serve(next: Release): void {
      release = next;
      queued.clear();
      lastChangeAt = performance.now();
      for (const path of next.manifest.paths()) {
        if (next.manifest.get(path)?.isLight) queued.add(path);
      }
      work();
    },

    async settled(): Promise<void> {
      while (working) await working;
    },

    async stop(): Promise<void> {
      stopping.abort();
      await pool.end();
      await working;
    },
  };
}

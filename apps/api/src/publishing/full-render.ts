import { join } from 'node:path';
import type { Log } from '../log.ts';
import { fileOf } from '../server/site-files.ts';
import type { PageRecord } from './manifest-lines.ts';
import type { PageFile } from './page-files.ts';
import type { Pages } from './pages.ts';
import {
  copyCard,
  copyPage,
  copyRetiredAssets,
  copyStaticFiles,
  createRelease,
  discardRelease,
  flush,
  isHashedAsset,
  listAssets,
  listFiles,
  type Release,
} from './release.ts';
import { retireAssets } from './retired-assets.ts';
import type { PageFailure, PageSource } from './update-pages.ts';

/** While one batch is rendered, the next one is loaded. */
const concurrentBatches = 2;

/** In pages. Much larger batches need more memory. */
const batchSize = 16;

const preparedBatches = 4;

/**
 * A few failed pages must not block a new build. A build is broken if more pages than this, and more
 * than half of all pages, fail.
 */
const maxFailures = 10;

interface RenderSiteOptions {
  dataDir: string;
  source: PageSource;
  served: Release | undefined;
  /** Milliseconds since 1970. */
  now: number;
  log: Log;
  isStopped(): boolean;
}

/**
 * Renders all pages into a new release and flushes it to the disk.
 * @returns `failed`: pages that could not be rendered, whose old files are copied if there are any
 * @throws when the build is broken or the disk fails, after removing the new release
 */
export async function renderSite(
  site: RenderSiteOptions,
): Promise<{ release: Release; pages: number; failed: Map<string, PageFailure> }> {
  const { dataDir, source, served } = site;
  const { renderer, publicUrl } = source;
  const { buildId, staticFiles } = renderer;
  const names = await listFiles(staticFiles);
  const assets = names.filter(isHashedAsset);
  const found = served ? await listAssets(served) : [];
  const retired = retireAssets(served?.manifest.origin ?? null, found, assets, site.now);
  const release = await createRelease(dataDir, {
    buildId,
    publicUrl,
    assets,
    retired,
    files: names,
  });
  try {
    await copyStaticFiles(renderer, names, release);
    if (served) await copyRetiredAssets(served, release);
    const { pages, failed } = await renderAll(release, site);
    for (const path of served ? failed.keys() : []) {
      const page = served?.manifest.get(path);
      if (!served || page === undefined) continue;
      await copyPage(fileOf(path) ?? '', served, release);
      if (page.card) await copyCard(page.card.path, served, release);
      pages.set(path, { ...page, isOfOtherBuild: true });
    }
    await release.manifest.record(pages);
    await flush(release);
    return { release, pages: pages.size, failed };
  } catch (error) {
    await discardRelease(release);
    throw error;
  }
}

async function renderAll(
  release: Release,
  { source: { pages, renderer }, served, log, isStopped }: RenderSiteOptions,
): Promise<{ pages: Map<string, PageRecord>; failed: Map<string, PageFailure> }> {
  const rendered = new Map<string, PageRecord>();
  const failed = new Map<string, PageFailure>();
  let isAborted = false;

  function fail(path: string, error: unknown): void {
    failed.set(path, { error, reason: 'could not be rendered' });
    if (failed.size <= maxFailures) {
      log.error({ err: error, path }, 'could not render a page; keeping the old one');
    }
  }

  async function load(paths: readonly string[]) {
    const files: PageFile[] = [];
    const versions: string[] = [];
    for (const path of paths) {
      try {
        const page = await pages.at(path);
        if (!page) continue;
        files.push({ path, data: page.data, file: join(release.folder, fileOf(path) ?? '') });
        versions.push(page.version);
      } catch (error) {
        fail(path, error);
      }
    }
    return { files, versions };
  }

  async function render(paths: readonly string[]): Promise<void> {
    const { files, versions } = await load(paths);
    const results = await renderer.writePages(files);
    for (const [index, { path }] of files.entries()) {
      const result = results[index];
      const version = versions[index];
      if (!result || version === undefined) throw new Error(`${path} was not rendered`);
      if ('error' in result) {
        fail(path, result.error);
        continue;
      }
      const { card, checksum } = result;
      if (served && card) await copyCard(card.path, served, release);
      const record = { version, card, file: checksum, isOfOtherBuild: false };
      rendered.set(path, record);
    }
  }

  // All loops share one iterator, so each page is rendered once.
  const batches = prepareBatches(pages);
  async function renderBatches(): Promise<void> {
    for await (const paths of batches) {
      if (isAborted) return;
      await render(paths);
      if (isStopped()) throw new Error('stopped before the site was published');
    }
  }
  const renderers = Array.from({ length: concurrentBatches }, () =>
    renderBatches().catch((error: unknown) => {
      isAborted = true;
      throw error;
    }),
  );
  // A release cannot be removed while files are still being written.
  const ends = await Promise.allSettled(renderers);
  await renderer.endWriting();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  // Checked only at the end, because failures may cluster early.
  requireEnoughPages(rendered.size, failed.size);
  return { pages: rendered, failed };
}

function requireEnoughPages(rendered: number, failed: number): void {
  if (failed > maxFailures && failed > rendered) {
    throw new Error(`${failed} of ${failed + rendered} pages could not be rendered`);
  }
  if (rendered === 0) throw new Error('no page could be rendered');
}

async function* prepareBatches(pages: Pages): AsyncGenerator<string[]> {
  const paths = [...(await pages.all()).keys()];
  const preparedPages = preparedBatches * batchSize;
  let prepared = pages.prepare(paths.slice(0, preparedPages));
  for (let first = 0; first < paths.length; first += batchSize) {
    if (first % preparedPages === 0) {
      await prepared;
      const next = first + preparedPages;
      prepared = pages.prepare(paths.slice(next, next + preparedPages));
    }
    yield paths.slice(first, first + batchSize);
  }
}

import { join } from 'node:path';
import type { Log } from '../log.ts';
import { fileOf } from '../server/site-files.ts';
import type { PageRecord } from './manifest.ts';
import type { Page, Pages } from './pages.ts';
import {
  copyCard,
  copyPage,
  copyPreviousAssets,
  copyStaticFiles,
  createRelease,
  discardRelease,
  flush,
  isHashedAsset,
  listFiles,
  type Release,
} from './release.ts';
import type { RenderedFile } from './renderer.ts';
import type { PageFailure, PageSource } from './update-pages.ts';
import { checksumOf } from './verify-files.ts';

const concurrentPages = 8;

const preparedPages = 64;

/**
 * A few failed pages must not block a new build. Above this number, a build of which more than half
 * of the pages fail counts as broken.
 */
const maxFailures = 10;

interface RenderSiteOptions {
  dataDir: string;
  publicUrl: string;
  source: PageSource;
  served: Release | undefined;
  log: Log;
  isStopped(): boolean;
}

/**
 * Renders all pages into a new release and flushes it to the disk. `failed` are the pages that
 * could not be rendered: their old files are copied, if there are any.
 * @throws when the build is broken or the disk fails; the release is removed.
 */
export async function renderSite(
  site: RenderSiteOptions,
): Promise<{ release: Release; pages: number; failed: Map<string, PageFailure> }> {
  const { dataDir, publicUrl, served } = site;
  const { buildId, staticFiles } = site.source.renderer;
  const names = await listFiles(staticFiles);
  const assets = names.filter(isHashedAsset);
  const release = await createRelease(dataDir, { buildId, publicUrl, assets });
  try {
    await copyStaticFiles(staticFiles, names, release, 'inPlace', site.source.workerPool);
    if (served) await copyPreviousAssets(served, release);
    const { pages, failed } = await renderAll(release, site);
    for (const path of served ? failed.keys() : []) {
      const page = served?.manifest.get(path);
      if (!served || page === undefined) continue;
      await copyPage(fileOf(path) ?? '', served, release);
      if (page.card) await copyCard(page.card.path, served, release);
      pages.set(path, page);
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
  { source: { pages, renderer, workerPool }, served, log, isStopped }: RenderSiteOptions,
): Promise<{ pages: Map<string, PageRecord>; failed: Map<string, PageFailure> }> {
  const rendered = new Map<string, PageRecord>();
  const failed = new Map<string, PageFailure>();
  let isAborted = false;

  async function render(path: string): Promise<void> {
    let page: Page | null;
    let rendering: RenderedFile;
    try {
      page = await pages.at(path);
      if (!page) return;
      rendering = await renderer.render(path, page.data);
    } catch (error) {
      failed.set(path, { error, reason: 'could not be rendered' });
      if (failed.size <= maxFailures) {
        log.error({ err: error, path }, 'could not render a page; keeping the old one');
      }
      return;
    }
    const { bytes, card } = rendering;
    // Before `run`, which transfers the bytes.
    const checksum = checksumOf(bytes);
    const file = join(release.folder, fileOf(path) ?? '');
    await workerPool.run({ file, bytes, effort: 'bulk', as: 'inPlace' });
    if (served && card) await copyCard(card.path, served, release);
    rendered.set(path, { version: page.version, card, file: checksum });
  }

  // All loops share one iterator, so each page is rendered once.
  const paths = preparedPaths(pages);
  async function renderFromList(): Promise<void> {
    for await (const path of paths) {
      if (isAborted) return;
      if (isStopped()) throw new Error('stopped before the site was published');
      await render(path);
    }
  }
  const renderers = Array.from({ length: concurrentPages }, () =>
    renderFromList().catch((error: unknown) => {
      isAborted = true;
      throw error;
    }),
  );
  // A release cannot be removed while files are still being written.
  const ends = await Promise.allSettled(renderers);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  // Only at the end: failures may cluster early.
  if (failed.size > maxFailures && failed.size > rendered.size) {
    throw new Error(`${failed.size} of ${failed.size + rendered.size} pages could not be rendered`);
  }
  if (rendered.size === 0) throw new Error('no page could be rendered');
  return { pages: rendered, failed };
}

async function* preparedPaths(pages: Pages): AsyncGenerator<string> {
  const paths = [...(await pages.all()).keys()];
  let prepared = pages.prepare(paths.slice(0, preparedPages));
  for (let first = 0; first < paths.length; first += preparedPages) {
    await prepared;
    const next = first + preparedPages;
    prepared = pages.prepare(paths.slice(next, next + preparedPages));
    yield* paths.slice(first, next);
  }
}

import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Card } from '@app/contract/pages';
import type { Log } from '../log.ts';
import { unlessMissing } from '../unless-missing.ts';
import type { PageFile } from './page-files.ts';
import type { Pages } from './pages.ts';
import {
  cardsOf,
  copyRetiredAssets,
  copyStaticFiles,
  createRelease,
  discardRelease,
  fileIn,
  isHashedAsset,
  linkFile,
  listFiles,
  type Release,
} from './release.ts';
import type { PageFailure, PageSource } from './update-pages.ts';

/** While one batch is rendered, the next one is loaded. */
const concurrentBatches = 3;

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
  served: (Release & { createdAt: number }) | undefined;
  /** Milliseconds since 1970. */
  now: number;
  log: Log;
  isStopped(): boolean;
}

export interface RenderedSite {
  release: Release;
  pages: number;
  /** Pages that could not be rendered. They keep their old files, unless they are withdrawn. */
  failed: Map<string, PageFailure>;
  /** Cards that no earlier release has, by the path of the page. */
  missingCards: Map<string, Card>;
}

/**
 * Renders all pages into a new release. Does not flush it to the disk.
 * @throws when the build is broken or the disk fails, after removing the new release
 */
export async function renderSite(site: RenderSiteOptions): Promise<RenderedSite> {
  const { dataDir, source, served, now } = site;
  const { renderer, publicUrl, pages } = source;
  const names = await listFiles(renderer.staticFiles);
  const release = await createRelease(dataDir, renderer.buildId);
  try {
    await copyStaticFiles(renderer, names, release, { publicUrl, now });
    const assets = new Set(names.filter(isHashedAsset));
    if (served) await copyRetiredAssets(served, release, assets, now);
    const rendered = await renderAll(release, site);
    for (const path of served ? rendered.failed.keys() : []) {
      if (!served || pages.isWithdrawn(path)) continue;
      const [from, to] = [fileIn(served, path), fileIn(release, path)];
      await mkdir(dirname(to), { recursive: true });
      await unlessMissing(copyFile(from, to), undefined);
      for (const card of await cardsOf(served, path)) await linkFile(card, served, release);
    }
    return { release, ...rendered };
  } catch (error) {
    await discardRelease(release);
    throw error;
  }
}

async function renderAll(
  release: Release,
  { source: { pages, renderer }, served, log, isStopped }: RenderSiteOptions,
): Promise<Omit<RenderedSite, 'release'>> {
  const failed = new Map<string, PageFailure>();
  const missingCards = new Map<string, Card>();
  let written = 0;
  /** Without texts, which cannot fail. */
  let rendered = 0;
  let isAborted = false;

  function fail(path: string, error: unknown): void {
    failed.set(path, { error, reason: 'could not be rendered' });
    if (failed.size <= maxFailures) {
      log.error({ err: error, path }, 'could not render a page; keeping the old one');
    }
  }

  async function load(paths: readonly string[]): Promise<PageFile[]> {
    const files: PageFile[] = [];
    for (const path of paths) {
      try {
        const page = await pages.at(path);
        if (page) files.push({ path, page, file: fileIn(release, path) });
      } catch (error) {
        fail(path, error);
      }
    }
    return files;
  }

  async function render(paths: readonly string[]): Promise<void> {
    const files = await load(paths);
    const results = await renderer.writePages(files);
    for (const [index, { path, page }] of files.entries()) {
      const result = results[index];
      if (!result) throw new Error(`${path} was not rendered`);
      if ('error' in result) {
        fail(path, result.error);
        continue;
      }
      written += 1;
      if ('data' in page) rendered += 1;
      const { card } = result;
      // Cards of the build are already there.
      if (!card || card.path.lastIndexOf('/') === '/cards'.length) continue;
      const isLinked = served && (await linkFile(card.path, served, release));
      if (!isLinked) missingCards.set(path, card);
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
  requireEnoughPages(rendered, failed.size);
  return { pages: written, failed, missingCards };
}

function requireEnoughPages(rendered: number, failed: number): void {
  if (failed > maxFailures && failed > rendered) {
    throw new Error(`${failed} of ${failed + rendered} pages could not be rendered`);
  }
  if (rendered === 0) throw new Error('no page could be rendered');
}

async function* prepareBatches(pages: Pages): AsyncGenerator<string[]> {
  const paths = [...(await pages.all())];
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

import { join } from 'node:path';
import type { Log } from '../log.ts';
import { fileOf } from '../server/site-files.ts';
import type { PageRecord } from './manifest.ts';
import type { Page, Pages } from './pages.ts';
import {
  copyPage,
  copyStaticFiles,
  createRelease,
  discardRelease,
  flush,
  isHashedAsset,
  keepAssets,
  keepCard,
  listFiles,
  type Release,
} from './release.ts';
import type { DrawnPage } from './renderer.ts';
import type { PageFailure, PageSource } from './update-pages.ts';
import { factsOf } from './verify-files.ts';

/** How many pages are compressed and written while the next ones are rendered. */
const pagesUnderway = 8;

/** How many pages' bodies are made ready together, while those before them are rendered. */
const pagesPrepared = 64;

/**
 * How many pages of a new build may fail before they are compared with those that did not. Some
 * must not keep all the others from their readers; more than half, and it is the build that is
 * broken.
 */
const failuresBorne = 10;

interface WholeSite {
  dataDir: string;
  publicUrl: string;
  source: PageSource;
  /** The release that readers get meanwhile. */
  served: Release | undefined;
  log: Log;
  isStopped(): boolean;
}

/**
 * Makes a release of the whole site, complete and flushed to the disk. `failed`
 * are the pages that could not be rendered: as they were before, or not there.
 * @throws when the site cannot be made; then nothing of it is left.
 */
export async function makeWholeSite(
  site: WholeSite,
): Promise<{ release: Release; pages: number; failed: Map<string, PageFailure> }> {
  const { dataDir, publicUrl, served } = site;
  const { buildId, staticFiles } = site.source.renderer;
  const names = await listFiles(staticFiles);
  const assets = names.filter(isHashedAsset);
  const release = await createRelease(dataDir, { buildId, publicUrl, assets });
  try {
    await copyStaticFiles(staticFiles, names, release, 'inPlace', site.source.press);
    if (served) await keepAssets(served, release);
    const { pages, failed } = await renderAll(release, site);
    for (const path of served ? failed.keys() : []) {
      const page = served?.manifest.get(path);
      if (!served || page === undefined) continue;
      await copyPage(fileOf(path) ?? '', served, release);
      if (page.card) await keepCard(page.card.path, served, release);
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

/** Renders every page, and takes the cards along that are drawn already. */
async function renderAll(
  release: Release,
  { source: { pages, renderer, press }, served, log, isStopped }: WholeSite,
): Promise<{ pages: Map<string, PageRecord>; failed: Map<string, PageFailure> }> {
  const rendered = new Map<string, PageRecord>();
  const failed = new Map<string, PageFailure>();
  let isGivenUp = false;

  async function render(path: string): Promise<void> {
    let page: Page | null;
    let drawn: DrawnPage;
    try {
      page = await pages.at(path);
      if (!page) return;
      drawn = await renderer.render(path, page.data);
    } catch (error) {
      failed.set(path, { error, reason: 'could not be rendered' });
      if (failed.size <= failuresBorne) {
        log.error({ err: error, path }, 'could not render a page; keeping the old one');
      }
      return;
    }
    const { bytes, card } = drawn;
    // The bytes are the press's from then on.
    const facts = factsOf(bytes);
    const file = join(release.folder, fileOf(path) ?? '');
    await press.run({ file, bytes, effort: 'wholeSite', as: 'inPlace' });
    if (served && card) await keepCard(card.path, served, release);
    rendered.set(path, { version: page.version, card, file: facts });
  }

  // All of them take from the same list, so each page is rendered once.
  const paths = preparedPaths(pages);
  async function renderFromList(): Promise<void> {
    for await (const path of paths) {
      if (isGivenUp) return;
      if (isStopped()) throw new Error('stopped before the site was published');
      await render(path);
    }
  }
  const renderers = Array.from({ length: pagesUnderway }, () =>
    renderFromList().catch((error: unknown) => {
      isGivenUp = true;
      throw error;
    }),
  );
  // Each one's end is waited for: what is still being written could not be discarded.
  const ends = await Promise.allSettled(renderers);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  // At the end, for the pages come in no order that says anything about the others.
  if (failed.size > failuresBorne && failed.size > rendered.size) {
    throw new Error(`${failed.size} of ${failed.size + rendered.size} pages could not be rendered`);
  }
  if (rendered.size === 0) throw new Error('no page could be rendered');
  return { pages: rendered, failed };
}

/** Every path of the site, each as soon as its body is there. */
async function* preparedPaths(pages: Pages): AsyncGenerator<string> {
  const paths = [...(await pages.all()).keys()];
  let prepared = pages.prepare(paths.slice(0, pagesPrepared));
  for (let first = 0; first < paths.length; first += pagesPrepared) {
    await prepared;
    const next = first + pagesPrepared;
    prepared = pages.prepare(paths.slice(next, next + pagesPrepared));
    yield* paths.slice(first, next);
  }
}

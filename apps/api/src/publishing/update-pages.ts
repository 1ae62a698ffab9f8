import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { removeFiles, replaceFile, syncFiles, syncFoldersOf } from '../files/atomic-files.ts';
import { fileOf } from '../server/site-files.ts';
import type { Manifest } from './manifest.ts';
import { checksumOf, type PageRecord } from './manifest-lines.ts';
import type { Page, Pages } from './pages.ts';
import { cardFile, type Release } from './release.ts';
import type { Renderer } from './renderer.ts';

export interface PageSource {
  pages: Pages;
  renderer: Renderer;
  publicUrl: string;
}

/** False while a rebuild runs: it updates pages of the old release with the new build. */
export const isOfBuild = (
  { origin }: Pick<Manifest, 'origin'>,
  { renderer, publicUrl }: Pick<PageSource, 'renderer' | 'publicUrl'>,
): boolean => origin.buildId === renderer.buildId && origin.publicUrl === publicUrl;

export interface PageFailure {
  error: unknown;
  /** Shown to the author after the path, for example 'could not be rendered'. */
  reason: string;
}

export type Failures = ReadonlyMap<string, PageFailure>;

export interface Update {
  paths: ReadonlySet<string>;
  /** Pages whose new files are in place, but not flushed yet. Pass them to `flushPages`. */
  written: ReadonlyMap<string, PageRecord>;
  /** Pages whose files did not change. */
  failed: Failures;
}

/**
 * Updates the files of the paths and of the pages that depend on them. First removes deleted pages
 * with their cards, and flushes that to the disk. Pages fail independently. Never throws.
 * @param changed called with each batch of paths right after their files have changed
 */
export async function updatePages(
  release: Release,
  paths: Iterable<string>,
  source: PageSource,
  changed: (paths: Iterable<string>) => void,
): Promise<Update> {
  const { manifest } = release;
  const { pages } = source;
  const todo = new Set(paths);
  const failed = new Map<string, PageFailure>();
  let written: Update['written'] = new Map();
  try {
    for (const path of pages.outdated((shown) => manifest.get(shown)?.version)) todo.add(path);
    const gone = new Set([...todo].filter((path) => pages.isGone(path)));
    // A deleted post must be removed even if the page that replaces it cannot be rendered.
    const replaced = [...todo].filter((path) => {
      const shown = manifest.get(path);
      return shown && pages.isWithdrawn(shown.version);
    });
    await removePages(release, new Set([...gone, ...replaced]), source, { failed, changed });

    const { wanted, alsoGone } = await loadPages(release, todo, gone, pages, failed);
    await removePages(release, alsoGone, source, { failed, changed });
    written = await writePages(release, wanted, source, { failed, changed });
  } catch (error) {
    // If the manifest or a folder cannot be flushed, no removal is durable, so all pages have failed.
    for (const path of todo) {
      if (!failed.has(path)) failed.set(path, { error, reason: reasonOf(error) });
    }
  }
  return { paths: todo, written, failed };
}

/**
 * Flushes pages to the disk, except for those that were updated again and will be flushed later.
 * Never throws.
 * @param jobs publish jobs up to this id are done
 * @returns all of the pages if the flush failed
 */
export async function flushPages(
  release: Release,
  written: ReadonlyMap<string, PageRecord>,
  jobs?: number,
): Promise<Failures> {
  const { manifest } = release;
  const current = [...written].filter(([path, record]) => manifest.get(path) === record);
  try {
    const files = current.map(([path]) => pageFile(release, path));
    await syncFiles(files);
    await syncFoldersOf(files);
    const flushed = current.filter(([path, record]) => manifest.get(path) === record);
    // Last, so that after a power cut all pages in the manifest are complete.
    await manifest.append(new Map(flushed), jobs);
    return new Map();
  } catch (error) {
    const failure = { error, reason: reasonOf(error) };
    return new Map([...written.keys()].map((path) => [path, failure]));
  }
}

/** @returns the pages that could not be updated or flushed */
export const flushUpdate = async (
  release: Release,
  { written, failed }: Update,
): Promise<Failures> => new Map([...failed, ...(await flushPages(release, written))]);

/** Adds the indexes of pages that appear or disappear to `todo`. */
async function loadPages(
  { manifest }: Release,
  todo: Set<string>,
  gone: ReadonlySet<string>,
  pages: Pages,
  failed: Map<string, PageFailure>,
): Promise<{ wanted: Map<string, Page>; alsoGone: string[] }> {
  const wanted = new Map<string, Page>();
  const alsoGone: string[] = [];
  for (const path of todo) {
    if (gone.has(path)) continue;
    try {
      // Requests wait for the data of one page at most.
      await nextTurn();
      const page = await pages.at(path);
      const appearsOrDisappears = (page === null) !== (manifest.get(path) === undefined);
      if (appearsOrDisappears) for (const index of pages.indexesOf(path)) todo.add(index);
      if (page) wanted.set(path, page);
      else alsoGone.push(path);
    } catch (error) {
      failed.set(path, { error, reason: 'could not be rendered' });
    }
  }
  return { wanted, alsoGone };
}

interface Outcome {
  failed: Map<string, PageFailure>;
  changed(paths: Iterable<string>): void;
}

async function removePages(
  release: Release,
  paths: Iterable<string>,
  { renderer }: PageSource,
  { failed, changed }: Outcome,
): Promise<void> {
  const changes = new Map<string, null>();
  for (const path of paths) {
    try {
      await removeFiles([pageFile(release, path)]);
      changes.set(path, null);
    } catch (error) {
      failed.set(path, { error, reason: 'could not be removed' });
    }
  }
  changed(paths);
  const cards = cardsOf(release, changes.keys());
  const { manifest } = release;
  try {
    await Promise.all([
      manifest.record(changes),
      syncFoldersOf([...changes.keys()].map((path) => pageFile(release, path))),
    ]);
  } finally {
    await removeUnusedCards(release, renderer, cards, changed);
  }
}

async function writePages(
  release: Release,
  pages: ReadonlyMap<string, Page>,
  source: PageSource,
  { failed, changed }: Outcome,
): Promise<Map<string, PageRecord>> {
  const { renderer } = source;
  const isOfOtherBuild = !isOfBuild(release.manifest, source);
  const written = new Map<string, PageRecord>();
  const cards = new Set<string>();
  /** Serves each page as soon as it is written. */
  function show(path: string, record: PageRecord): void {
    for (const card of cardsOf(release, [path])) cards.add(card);
    release.manifest.apply(new Map([[path, record]]));
    written.set(path, record);
    changed([path]);
  }
  const writing: Promise<unknown>[] = [];
  for (const [path, { data, version }] of pages) {
    try {
      // Requests wait for one page at most.
      await nextTurn();
      const { bytes, card } = await renderer.render(path, data);
      const record = { version, card, file: checksumOf(bytes), isOfOtherBuild };
      const file = pageFile(release, path);
      // Not awaited, so that this thread can render the next page.
      writing.push(
        replaceFile(file, bytes).then(
          () => show(path, record),
          (error: unknown) => failed.set(path, { error, reason: reasonOf(error) }),
        ),
      );
    } catch (error) {
      failed.set(path, { error, reason: 'could not be rendered' });
    }
  }
  await Promise.all(writing);
  await removeUnusedCards(release, renderer, cards, changed);
  return written;
}

function cardsOf({ manifest }: Release, paths: Iterable<string>): Set<string> {
  const cards = [...paths].map((path) => manifest.get(path)?.card?.path);
  return new Set(cards.filter((card) => card !== undefined));
}

async function removeUnusedCards(
  release: Release,
  renderer: Pick<Renderer, 'staticFiles'>,
  cards: ReadonlySet<string>,
  changed: (paths: Iterable<string>) => void,
): Promise<void> {
  const unused = [...cards].filter((card) => isUnusedCard(release, renderer, card));
  await removeFiles(unused.map((card) => cardFile(release, card)));
  changed(unused);
}

export const isUnusedCard = (
  { manifest }: Release,
  { staticFiles }: Pick<Renderer, 'staticFiles'>,
  card: string,
): boolean => !manifest.refersTo(card) && !existsSync(join(staticFiles, card));

export const pageFile = ({ folder }: Release, path: string): string => {
  const name = fileOf(path);
  if (name === null) throw new Error(`not a publishable path: ${path}`);
  return join(folder, name);
};

function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
      return 'could not be written, because the disk is full';
    case 'EROFS':
      return 'could not be written, because the disk is read-only';
    default:
      return 'could not be written';
  }
}

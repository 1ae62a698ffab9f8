import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf } from '../server/site-files.ts';
import {
  discardStaged,
  flushStaged,
  removeFiles,
  renameStaged,
  syncFoldersOf,
} from './atomic-files.ts';
import type { PageRecord } from './manifest.ts';
import type { Page, Pages } from './pages.ts';
import { cardFile, type Release } from './release.ts';
import type { Renderer } from './renderer.ts';
import { checksumOf } from './verify-files.ts';
import type { WorkerPool } from './worker-pool.ts';

export interface PageSource {
  pages: Pages;
  renderer: Renderer;
  workerPool: WorkerPool;
}

export interface PageFailure {
  error: unknown;
  /** For the author, after the path: 'could not be rendered'. */
  reason: string;
}

export interface Update {
  /** The given paths, and those that depend on them. */
  paths: ReadonlySet<string>;
  /** Pages whose files did not change. */
  failed: ReadonlyMap<string, PageFailure>;
}

/**
 * Updates the files of the paths, and of the pages that depend on them. Removes deleted pages
 * first, with their cards. Pages fail independently. Never throws.
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
  try {
    for (const path of pages.outdated((shown) => manifest.get(shown)?.version)) todo.add(path);
    const gone = new Set([...todo].filter((path) => pages.isGone(path)));
    // A deleted post must go even if the page that replaces it cannot be rendered.
    const replaced = [...todo].filter((path) => {
      const shown = manifest.get(path);
      return shown && pages.isWithdrawn(shown.version);
    });
    await removePages(release, new Set([...gone, ...replaced]), source, { failed, changed });

    const { wanted, alsoGone } = await loadPages(release, todo, gone, pages, failed);
    await removePages(release, alsoGone, source, { failed, changed });
    await writePages(release, wanted, source, { failed, changed });
  } catch (error) {
    // Without the manifest or the flush of a folder, no page is durable.
    for (const path of todo) {
      if (!failed.has(path)) failed.set(path, { error, reason: reasonOf(error) });
    }
  }
  return { paths: todo, failed };
}

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
  source: PageSource,
  { failed, changed }: Outcome,
): Promise<void> {
  const changes = new Map<string, null>();
  for (const path of paths) {
    try {
      await removeFiles(filesOf(release, path));
      changes.set(path, null);
    } catch (error) {
      failed.set(path, { error, reason: 'could not be removed' });
    }
  }
  changed(paths);
  await Promise.all([
    record(release, changes, source, changed),
    syncFoldersOf([...changes.keys()].map((path) => pageFile(release, path))),
  ]);
}

async function writePages(
  release: Release,
  pages: ReadonlyMap<string, Page>,
  source: PageSource,
  { failed, changed }: Outcome,
): Promise<void> {
  const { renderer, workerPool } = source;
  const records = new Map<string, PageRecord>();
  const staged = new Map<string, string[]>();
  const staging: Promise<void>[] = [];
  const fail = async (path: string, error: unknown): Promise<void> => {
    failed.set(path, { error, reason: reasonOf(error) });
    staged.delete(path);
    records.delete(path);
    await discardStaged(filesOf(release, path));
  };
  for (const [path, { data, version }] of pages) {
    try {
      const { bytes, card } = await renderer.render(path, data);
      records.set(path, { version, card, file: checksumOf(bytes) });
      // Not awaited: this thread renders the next page meanwhile.
      const written = workerPool.run({
        file: pageFile(release, path),
        bytes,
        effort: 'page',
        as: 'staged',
      });
      staging.push(
        written.then(
          (files) => void staged.set(path, files),
          (error: unknown) => fail(path, error),
        ),
      );
    } catch (error) {
      failed.set(path, { error, reason: 'could not be rendered' });
    }
  }
  await Promise.all(staging);
  const flushing = [...staged].map(([path, files]) =>
    flushStaged(files).catch((error: unknown) => fail(path, error)),
  );
  await Promise.all(flushing);
  for (const [path, files] of [...staged]) {
    try {
      renameStaged(files);
    } catch (error) {
      await fail(path, error);
    }
  }
  try {
    await Promise.all([
      record(release, records, source, changed),
      syncFoldersOf([...records.keys()].map((path) => pageFile(release, path))),
    ]);
  } finally {
    changed(records.keys());
  }
}

async function record(
  release: Release,
  changes: ReadonlyMap<string, PageRecord | null>,
  { renderer }: Pick<PageSource, 'renderer'>,
  changed: (paths: Iterable<string>) => void,
): Promise<void> {
  const { manifest } = release;
  const cardsBefore = new Set<string>();
  for (const path of changes.keys()) {
    const card = manifest.get(path)?.card;
    if (card) cardsBefore.add(card.path);
  }
  try {
    await manifest.record(changes);
  } finally {
    const unused = [...cardsBefore].filter((card) => isUnusedCard(release, renderer, card));
    await removeFiles(unused.map((card) => cardFile(release, card)));
    changed(unused);
  }
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

const filesOf = (release: Release, path: string): string[] =>
  ['', '.br', '.gz'].map((ending) => pageFile(release, path) + ending);

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

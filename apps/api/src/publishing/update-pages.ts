import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf } from '../server/site-files.ts';
import {
  discardStaged,
  flushStaged,
  placeStaged,
  removeFiles,
  syncFoldersOf,
} from './atomic-files.ts';
import type { PageRecord } from './manifest.ts';
import type { Page, Pages } from './pages.ts';
import { cardFile, type Release } from './release.ts';
import type { Renderer } from './renderer.ts';
import { factsOf } from './verify-files.ts';
import type { Press } from './worker-pool.ts';

/** What pages are made with: what they show, who draws them, who writes them. */
export interface PageSource {
  pages: Pages;
  renderer: Renderer;
  press: Press;
}

/** Why a page is not as it should be. */
export interface PageFailure {
  error: unknown;
  /** What the author is told: a verb phrase after the page's path. */
  reason: string;
}

export interface Update {
  /** All paths that were looked at. */
  paths: ReadonlySet<string>;
  /** Those that are as they were before. */
  failed: ReadonlyMap<string, PageFailure>;
}

/**
 * Makes the files of the paths, and of the pages that follow from them, what they should be.
 * What is to be gone goes first, with its card. A page that fails keeps no other from being
 * written. Never throws.
 * @param changed called with the paths whose files have changed, as soon as they have
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
    // Nor may a page stay for want of the one that takes its place.
    const replaced = [...todo].filter((path) => {
      const shown = manifest.get(path);
      return shown && pages.isWithdrawn(shown.version);
    });
    await withdraw(release, new Set([...gone, ...replaced]), source, { failed, changed });

    const { wanted, alsoGone } = await look(release, todo, gone, pages, failed);
    await withdraw(release, alsoGone, source, { failed, changed });
    await write(release, wanted, source, { failed, changed });
  } catch (error) {
    // Without the record of what was done, or the flush of a folder, none of it can be relied on.
    for (const path of todo) {
      if (!failed.has(path)) failed.set(path, { error, reason: reasonOf(error) });
    }
  }
  return { paths: todo, failed };
}

/** Asks what the paths show; the set grows by the pages that name one which comes or goes. */
async function look(
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
      const comesOrGoes = (page === null) !== (manifest.get(path) === undefined);
      if (comesOrGoes) for (const index of pages.indexesOf(path)) todo.add(index);
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

/** Removes pages, and the cards that no other page refers to. */
async function withdraw(
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

/** Renders pages and puts them in place. */
async function write(
  release: Release,
  pages: ReadonlyMap<string, Page>,
  source: PageSource,
  { failed, changed }: Outcome,
): Promise<void> {
  const { renderer, press } = source;
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
      records.set(path, { version, card, file: factsOf(bytes) });
      // Compressed and written in other threads, while this one renders the next page.
      const written = press.run({
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
  // All together, since the first flush carries most of the others' work with it.
  const flushing = [...staged].map(([path, files]) =>
    flushStaged(files).catch((error: unknown) => fail(path, error)),
  );
  await Promise.all(flushing);
  for (const [path, files] of [...staged]) {
    try {
      placeStaged(files);
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

/** Notes the changes, and removes the cards that no page refers to any more. */
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

/** Whether a card belongs to no page, neither of those rendered here nor of the build. */
export const isUnusedCard = (
  { manifest }: Release,
  { staticFiles }: Pick<Renderer, 'staticFiles'>,
  card: string,
): boolean => !manifest.refersTo(card) && !existsSync(join(staticFiles, card));

/** Where the file of a page lies. */
export const pageFile = ({ folder }: Release, path: string): string => {
  const name = fileOf(path);
  if (name === null) throw new Error(`no file can be at ${path}`);
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

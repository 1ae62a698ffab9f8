import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Card } from '@app/contract/pages';
import { removeFiles, replaceFile, syncFoldersOf } from '../files/atomic-files.ts';
import { renderFile } from './page-files.ts';
import type { Page, Pages } from './pages.ts';
import { fileIn, type Release, removeCards } from './release.ts';
import type { Renderer } from './renderer.ts';

export interface PageSource {
  pages: Pages;
  renderer: Renderer;
  publicUrl: string;
}

export interface PageFailure {
  error: unknown;
  /** Shown to the author after the path, for example 'could not be rendered'. */
  reason: string;
}

export type Failures = ReadonlyMap<string, PageFailure>;

export interface Update {
  /** Pages whose files did not change. */
  failed: Failures;
  /** The cards of the written pages, by the page's path. */
  cards: ReadonlyMap<string, Card>;
}

interface FileChanges {
  removed(paths: readonly string[]): void;
  replaced(path: string, bytes: NonSharedBuffer): void;
}

/** For a release that is not served. */
export const unseen: FileChanges = { removed: () => undefined, replaced: () => undefined };

/**
 * Updates the files at these paths. What is withdrawn goes first, with its card, and is flushed to
 * the disk. Pages fail independently. Never throws.
 * @param changes called right after files have changed
 */
export async function updatePages(
  release: Release,
  paths: readonly string[],
  { pages, renderer }: PageSource,
  { removed, replaced }: FileChanges,
): Promise<Update> {
  const failed = new Map<string, PageFailure>();
  const cards = new Map<string, Card>();

  async function remove(gone: readonly string[]): Promise<void> {
    const folders: string[] = [];
    for (const path of gone) {
      try {
        const file = fileIn(release, path);
        if (existsSync(file)) folders.push(file);
        await removeFiles([file]);
        removed([path, ...(await removeCards(release, path))]);
      } catch (error) {
        failed.set(path, { error, reason: 'could not be removed' });
      }
    }
    await syncFoldersOf(folders);
  }

  async function load(): Promise<Map<string, Page>> {
    const wanted = new Map<string, Page>();
    const gone: string[] = [];
    for (const path of paths) {
      if (failed.has(path)) continue;
      try {
        // Requests wait for the data of one page at most.
        await nextTurn();
        const page = await pages.at(path);
        if (page) wanted.set(path, page);
        else gone.push(path);
      } catch (error) {
        failed.set(path, { error, reason: 'could not be rendered' });
      }
    }
    await remove(gone);
    return wanted;
  }

  async function write(path: string, bytes: NonSharedBuffer, card: Card | null): Promise<void> {
    try {
      await replaceFile(fileIn(release, path), bytes);
      replaced(path, bytes);
      removed(await removeCards(release, path, card?.path));
      if (card) cards.set(path, card);
    } catch (error) {
      failed.set(path, { error, reason: reasonOf(error) });
    }
  }

  try {
    await remove(paths.filter(pages.isWithdrawn));
    const writing: Promise<void>[] = [];
    for (const [path, page] of await load()) {
      try {
        // Requests wait for one page at most.
        await nextTurn();
        const { bytes, card } = await renderFile(renderer.render, path, page);
        // Not awaited, so that this thread can render the next page.
        writing.push(write(path, bytes, card));
      } catch (error) {
        failed.set(path, { error, reason: 'could not be rendered' });
      }
    }
    await Promise.all(writing);
  } catch (error) {
    // If a folder cannot be flushed, no removal is durable, so all pages have failed.
    for (const path of paths) {
      if (!failed.has(path)) failed.set(path, { error, reason: reasonOf(error) });
    }
  }
  return { failed, cards };
}

export function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
      return 'could not be written, because the disk is full';
    case 'EROFS':
      return 'could not be written, because the disk is read-only';
    default:
      return 'could not be written';
  }
}

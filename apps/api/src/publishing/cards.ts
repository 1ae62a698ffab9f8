import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Card } from '@app/contract/pages';
import { removeFiles, replaceFiles } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import type { SiteFiles } from '../server/site-files.ts';
import { createCardRenderer } from './card-renderer.ts';
import type { Release } from './release.ts';
import type { Renderer } from './renderer.ts';

/**
 * Cards compete for the CPU with the pages of saved posts, so a card is drawn only after this long
 * without a change, but no later than the maximum.
 */
const quietMilliseconds = 300;
const maxWaitMilliseconds = 10_000;

const retryMilliseconds = 60_000;

interface CardsParts {
  log: Log;
  siteFiles: SiteFiles;
  renderer: Pick<Renderer, 'cardModule'>;
  /** Called when no card is missing anymore. */
  onDone: () => void;
}

/**
 * Draws the social cards of pages in the background, so that saving a post does not wait for its
 * card. The queue is only in memory: after a crash, pages without a card are rendered again.
 */
export function createCards({ log, siteFiles, renderer, onDone }: CardsParts) {
  const cardRenderer = createCardRenderer(renderer.cardModule, log);
  /** Missing cards by the path of the page. Those that failed are at the end. */
  const missing = new Map<string, Card>();
  const failed = new Set<Card>();
  let release: Release | undefined;
  let working: Promise<void> | undefined;
  let writing: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let lastChangeAt = 0;
  let isStopped = false;

  async function waitUntilQuiet(): Promise<void> {
    const deadline = performance.now() + maxWaitMilliseconds;
    for (;;) {
      const wait = Math.min(lastChangeAt + quietMilliseconds, deadline) - performance.now();
      if (isStopped || wait <= 0) return;
      await pause(wait);
    }
  }

  async function drawMissing(): Promise<void> {
    // The map can grow during the iteration, which then includes the new entries.
    for (const [path, card] of missing) {
      if (failed.has(card)) continue;
      await waitUntilQuiet();
      if (isStopped) return;
      if (missing.get(path) === card) await draw(path, card);
    }
    if (missing.size === 0) onDone();
  }

  async function draw(path: string, card: Card): Promise<void> {
    try {
      const png = await cardRenderer.render(card.title);
      writing = write(path, card, png);
      await writing;
    } catch (error) {
      if (isStopped) return;
      log.error({ err: error, path, title: card.title }, 'could not draw a social card');
      failed.add(card);
      retryTimer ??= setTimeout(retry, retryMilliseconds).unref();
    }
  }

  async function write(path: string, card: Card, png: Uint8Array): Promise<void> {
    // The page may have changed since, or another release may be served.
    const isWanted = () => missing.get(path) === card;
    if (!release || !isWanted()) return;
    const file = join(release.folder, card.path);
    await replaceFiles(new Map([[file, png]]));
    if (isWanted()) missing.delete(path);
    else await removeFiles([file]);
    siteFiles.invalidate([card.path]);
  }

  function retry(): void {
    retryTimer = undefined;
    failed.clear();
    work();
  }

  function work(): void {
    working ??= drawMissing().finally(() => {
      working = undefined;
      if ([...missing.values()].some((card) => !failed.has(card)) && !isStopped) work();
    });
  }

  return {
    /** @param paths updated pages @param cards those that they show */
    update(paths: Iterable<string>, cards: ReadonlyMap<string, Card>): void {
      lastChangeAt = performance.now();
      for (const path of paths) {
        const card = cards.get(path);
        if (card && release && !existsSync(join(release.folder, card.path))) {
          if (missing.get(path)?.path !== card.path) missing.set(path, card);
        } else missing.delete(path);
      }
      if (missing.size > 0) work();
    },

    /**
     * Switches to this release. Once it resolves, nothing more is written to the previous one.
     * @param cards those that it may lack, by the path of the page
     */
    async serve(next: Release, cards: ReadonlyMap<string, Card>): Promise<void> {
      release = next;
      missing.clear();
      failed.clear();
      for (const [path, card] of cards) {
        if (!existsSync(join(next.folder, card.path))) missing.set(path, card);
      }
      await writing?.catch(() => undefined);
      if (missing.size > 0) work();
    },

    /** Whether none is missing. */
    areDone: (): boolean => missing.size === 0,

    /** Resolves when every card was tried; some may have failed. */
    async settled(): Promise<void> {
      while (working) await working;
    },

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(retryTimer);
      await cardRenderer.stop();
      await working;
    },
  };
}

import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { SiteFiles } from '../server/site-files.ts';
import { removeFiles, replaceFiles } from './atomic-files.ts';
import { createCardDrawing } from './card-renderer.ts';
import { cardFile, listCards, type Release } from './release.ts';
import type { Renderer } from './renderer.ts';
import { isUnusedCard } from './update-pages.ts';

/**
 * Posts that are being saved go first, their pages share the processors with the drawing: it
 * waits for this long without a change, and where changes do not stop, for the longer time.
 */
const quietMilliseconds = 300;
const longestWaitMilliseconds = 10_000;

/** How long after a failure its cards are tried again. */
const retryMilliseconds = 60_000;

interface CardsParts {
  log: Log;
  siteFiles: SiteFiles;
  /** The module that draws, and the files of the build, which brings cards of its own. */
  renderer: Pick<Renderer, 'drawing' | 'staticFiles'>;
}

/**
 * Draws the cards that pages refer to, behind the pages: nobody who saves a post waits for
 * its card. Nothing is written down about them. The manifest says which cards there are to
 * be and the folder which ones there are, so what a crash keeps from being drawn, the next
 * start finds missing.
 */
export function createCards({ log, siteFiles, renderer }: CardsParts) {
  const { staticFiles } = renderer;
  const artist = createCardDrawing(renderer.drawing);
  /** Titles by path. */
  const waiting = new Map<string, string>();
  const failed = new Map<string, string>();
  let release: Release | undefined;
  let working: Promise<void> | undefined;
  let placing: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let lastChangeAt = 0;
  let isStopped = false;

  async function untilQuiet(): Promise<void> {
    const patience = performance.now() + longestWaitMilliseconds;
    for (;;) {
      const wait = Math.min(lastChangeAt + quietMilliseconds, patience) - performance.now();
      if (isStopped || wait <= 0) return;
      await pause(wait);
    }
  }

  async function drawWaiting(): Promise<void> {
    // Grows while it is walked.
    for (const [path, title] of waiting) {
      await untilQuiet();
      if (isStopped) return;
      waiting.delete(path);
      const isWanted = release?.manifest.refersTo(path) && !existsSync(cardFile(release, path));
      if (isWanted) await draw(path, title);
    }
  }

  async function draw(path: string, title: string): Promise<void> {
    try {
      const png = await artist.draw(title);
      placing = place(path, png);
      await placing;
    } catch (error) {
      if (isStopped) return;
      log.error({ err: error, path, title }, 'could not render a social card');
      failed.set(path, title);
      retryTimer ??= setTimeout(retry, retryMilliseconds).unref();
    }
  }

  async function place(path: string, png: Uint8Array): Promise<void> {
    // The one that is served now, which may not be the one it was drawn for.
    if (!release?.manifest.refersTo(path)) return;
    const { manifest } = release;
    const file = cardFile(release, path);
    await replaceFiles(new Map([[file, png]]));
    // Its last page may have gone meanwhile, and found no card to take along.
    if (!manifest.refersTo(path)) await removeFiles([file]);
    siteFiles.forget([path]);
  }

  function retry(): void {
    retryTimer = undefined;
    for (const [path, title] of failed) waiting.set(path, title);
    failed.clear();
    work();
  }

  function work(): void {
    working ??= drawWaiting().finally(() => {
      working = undefined;
      if (waiting.size > 0 && !isStopped) work();
    });
  }

  return {
    /** Sees to the cards of pages of the served release that have changed. */
    follow(paths: Iterable<string>): void {
      lastChangeAt = performance.now();
      for (const path of paths) {
        const card = release?.manifest.get(path)?.card;
        if (card && release && !existsSync(cardFile(release, card.path))) {
          waiting.set(card.path, card.title);
        }
      }
      if (waiting.size > 0) work();
    },

    /**
     * From now on sees to this release, beginning with the cards that it lacks. When this
     * resolves, nothing is written to the one before any more.
     */
    async serve(next: Release): Promise<void> {
      release = next;
      waiting.clear();
      failed.clear();
      await placing?.catch(() => undefined);
      const drawn = new Set(await listCards(next));
      // Those that a crash, or another release, left behind.
      const unused = [...drawn].filter((card) => isUnusedCard(next, { staticFiles }, card));
      await removeFiles(unused.map((card) => cardFile(next, card)));
      for (const [path, title] of next.manifest.cards()) {
        if (!drawn.has(path)) waiting.set(path, title);
      }
      if (waiting.size > 0) work();
    },

    /** Resolves when no card is waiting; those that failed are. */
    async settled(): Promise<void> {
      while (working) await working;
    },

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(retryTimer);
      artist.stop();
      await working;
    },
  };
}

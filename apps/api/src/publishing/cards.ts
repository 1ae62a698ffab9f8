import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { removeFiles, replaceFiles } from '../files/atomic-files.ts';
import type { Log } from '../log.ts';
import type { SiteFiles } from '../server/site-files.ts';
import { createCardRenderer } from './card-renderer.ts';
import { cardFile, listCards, type Release } from './release.ts';
import type { Renderer } from './renderer.ts';
import { isUnusedCard } from './update-pages.ts';

/**
 * Cards compete for the CPU with the pages of saved posts, so a card is rendered only after this long
 * without a change, but no later than the maximum.
 */
const quietMilliseconds = 300;
const maxWaitMilliseconds = 10_000;

const retryMilliseconds = 60_000;

interface CardsParts {
  log: Log;
  siteFiles: SiteFiles;
  renderer: Pick<Renderer, 'cardModule' | 'staticFiles'>;
}

/**
 * Renders the social cards of pages in the background, so that saving a post does not wait for its
 * card. The queue is only in memory: at startup, cards that the manifest lists and the folder lacks
 * are queued again.
 */
export function createCards({ log, siteFiles, renderer }: CardsParts) {
  const { staticFiles } = renderer;
  const cardRenderer = createCardRenderer(renderer.cardModule, log);
  /** Titles by the card's path. */
  const queued = new Map<string, string>();
  const failed = new Map<string, string>();
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

  async function renderQueued(): Promise<void> {
    // The map can grow during the iteration, which then includes the new entries.
    for (const [path, title] of queued) {
      await waitUntilQuiet();
      if (isStopped) return;
      queued.delete(path);
      const isWanted = release?.manifest.refersTo(path) && !existsSync(cardFile(release, path));
      if (isWanted) await render(path, title);
    }
  }

  async function render(path: string, title: string): Promise<void> {
    try {
      const png = await cardRenderer.render(title);
      writing = writeCard(path, png);
      await writing;
    } catch (error) {
      if (isStopped) return;
      log.error({ err: error, path, title }, 'could not render a social card');
      failed.set(path, title);
      retryTimer ??= setTimeout(retry, retryMilliseconds).unref();
    }
  }

  async function writeCard(path: string, png: Uint8Array): Promise<void> {
    // The served release may have changed since the card was queued.
    if (!release?.manifest.refersTo(path)) return;
    const { manifest } = release;
    const file = cardFile(release, path);
    await replaceFiles(new Map([[file, png]]));
    // The last page with this card may have been removed in the meantime.
    if (!manifest.refersTo(path)) await removeFiles([file]);
    siteFiles.invalidate([path]);
  }

  function retry(): void {
    retryTimer = undefined;
    for (const [path, title] of failed) queued.set(path, title);
    failed.clear();
    work();
  }

  function work(): void {
    working ??= renderQueued().finally(() => {
      working = undefined;
      if (queued.size > 0 && !isStopped) work();
    });
  }

  return {
    update(paths: Iterable<string>): void {
      lastChangeAt = performance.now();
      for (const path of paths) {
        const card = release?.manifest.get(path)?.card;
        if (card && release && !existsSync(cardFile(release, card.path))) {
          queued.set(card.path, card.title);
        }
      }
      if (queued.size > 0) work();
    },

    /**
     * Switches to this release: removes its unused cards and queues the missing ones. Once it
     * resolves, nothing more is written to the previous release.
     */
    async serve(next: Release): Promise<void> {
      release = next;
      queued.clear();
      failed.clear();
      await writing?.catch(() => undefined);
      const existing = new Set(await listCards(next));
      const unused = [...existing].filter((card) => isUnusedCard(next, { staticFiles }, card));
      await removeFiles(unused.map((card) => cardFile(next, card)));
      for (const [path, title] of next.manifest.cards()) {
        if (!existing.has(path)) queued.set(path, title);
      }
      if (queued.size > 0) work();
    },

    /** Resolves when no card is queued; some may have failed. */
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

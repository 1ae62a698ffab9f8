import { brotliCompressSync } from 'node:zlib';
import type { Page, Request } from 'playwright/test';

/** Budgets in bytes as served with Brotli, except for the number of fonts. */
export const budgets = {
  /** HTML and render-blocking CSS. */
  htmlAndCss: 20_000,
  /** JavaScript before the first interaction. */
  script: 4_000,
  /** Everything a first visit loads, scrolled to the end. */
  visit: 75_000,
  /** Font files for English text. */
  fonts: 2,
} as const;

export interface Weight {
  htmlAndCss: number;
  script: number;
  hasReact: boolean;
  visit: number;
  fonts: number;
}

export function overBudget(path: string, weight: Weight): string[] {
  const parts: [what: string, bytes: number, budget: number][] = [
    ['HTML and CSS', weight.htmlAndCss, budgets.htmlAndCss],
    ['JavaScript', weight.script, budgets.script],
    ['the first visit', weight.visit, budgets.visit],
  ];
  return [
    ...parts
      .filter(([, bytes, budget]) => bytes > budget)
      .map(([what, bytes, budget]) => `${path}: ${what} is ${bytes} bytes, over ${budget}`),
    ...(weight.fonts > budgets.fonts ? [`${path}: ${weight.fonts} font files are loaded`] : []),
    ...(weight.hasReact ? [`${path}: React is loaded before the first interaction`] : []),
  ];
}

/** @param page of a context with an empty cache */
export async function weigh(page: Page, url: string): Promise<Weight> {
  const loaded: Request[] = [];
  const pending = new Set<Request>();
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => {
    pending.delete(request);
    if (/^https?:/.test(request.url())) loaded.push(request);
  });
  page.on('requestfailed', (request) => pending.delete(request));

  await page.goto(url);
  // The last request of a page (head/head-script.ts).
  await page.locator('head > link[rel="manifest"]').waitFor({ state: 'attached' });
  await settled(page, pending);
  const beforeAnything = [...loaded];
  await page.evaluate(scrollToTheEnd);
  await settled(page, pending);

  const scripts = beforeAnything.filter((request) => request.resourceType() === 'script');
  const sources = await Promise.all(scripts.map((request) => textOf(request)));
  const inline = await page.evaluate(inlineScripts);
  return {
    htmlAndCss: await bytesOf(await neededToPaint(page, beforeAnything)),
    script: compressed(inline) + (await bytesOf(scripts)),
    hasReact: [inline, ...sources].some((source) => reactElement.test(source)),
    visit: await bytesOf(loaded),
    fonts: loaded.filter((request) => request.resourceType() === 'font').length,
  };
}

async function neededToPaint(page: Page, loaded: readonly Request[]): Promise<Request[]> {
  const blocking = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(
        (entry) => 'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'blocking',
      )
      .map(({ name }) => name),
  );
  return loaded.filter(
    (request) =>
      request.resourceType() === 'document' ||
      (request.resourceType() === 'stylesheet' && blocking.includes(request.url())),
  );
}

/** React's element type, which survives minification. */
const reactElement = /react\.(?:transitional\.)?element/;

const compressed = (text: string): number => (text ? brotliCompressSync(text).length : 0);

async function bytesOf(requests: readonly Request[]): Promise<number> {
  const sizes = await Promise.all(requests.map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const sizeOf = async (request: Request): Promise<number> =>
  (await request.sizes()).responseBodySize;

async function textOf(request: Request): Promise<string> {
  return (await request.response())?.text() ?? '';
}

async function settled(page: Page, pending: ReadonlySet<Request>): Promise<void> {
  do {
    const [request] = pending;
    await request?.response().then((response) => response?.finished());
    await page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestIdleCallback(resolve));
    });
  } while (pending.size > 0);
}

/** Runs in the page: scrolls one screen per frame, to load lazy content. */
const scrollToTheEnd = async (): Promise<void> => {
  const root = document.documentElement;
  for (let top = 0; top < root.scrollHeight; top += innerHeight) {
    scrollTo({ top, behavior: 'instant' });
    // Observers are notified between two frames.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  }
};

/** Runs in the page. Data blocks, such as JSON-LD, are not scripts (HTML, 4.12.1). */
const inlineScripts = (): string =>
  Array.from(document.scripts)
    .filter(({ src, type }) => !src && /^(?:|module|(?:text|application)\/javascript)$/.test(type))
    .map(({ text }) => text)
    .join('\n');

// `pnpm navigation [path…]`: how long a visitor waits for the next page after clicking a link on
// which the pointer rested. For every internal link, it prints the milliseconds from the press until
// the next page has replaced this one, and until its first frame is on the screen. For comparison, it
// follows a link between pages of 400 plain words.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { median } from '../support/percentile.ts';
import { follow, launchPrerenderingBrowser, prerender } from '../support/prerendering.ts';
import { table } from './table.ts';
import { onBuiltSite } from './tool.ts';

/** Runs in the page: numbers its links to other public pages and returns their hrefs. */
const numberLinks = (area: string): string[] => {
  const hrefs: string[] = [];
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`${area} a[href^="/"]`)) {
    const href = link.getAttribute('href') ?? '';
    const isExcluded = /^\/(?:api|auth|profile|uploads|pictures|newsletter|blog\/editor)|[.?]/.test(
      href,
    );
    const isSame = link.pathname === location.pathname;
    if (isExcluded || isSame || hrefs.includes(href) || !link.checkVisibility()) continue;
    link.dataset['number'] = String(hrefs.length);
    hrefs.push(href);
  }
  return hrefs;
};

/** Per link. The times vary, because a frame is shown 0 to 17 ms after it is drawn. */
const tries = 5;

/** For the link between plain pages: half of the tries before, half after all other links. */
const plainTries = 20;

const plainPage = (path: string): string => `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>Plain words</title>
<script type="speculationrules">{"prerender":[{"where":{"href_matches":"/*"},"eagerness":"moderate"}]}</script>
<p><a href="${path === '/other' ? '/' : '/other'}">The other page</a></p>
<p>${'Some plain words, one after the other. '.repeat(57)}</p>`;

const columns = ['page', 'link', 'prerendered', 'press to page', 'press to paint', 'slowest paint'];

const worst = (times: readonly number[]): number => Math.max(...times);

/** Follows a link once. Times are in milliseconds from the press. */
async function measure(tab: Page, link: string) {
  await tab.evaluate(() =>
    addEventListener('pointerdown', ({ timeStamp }) => {
      localStorage['pressed'] = performance.timeOrigin + timeStamp;
    }),
  );
  await prerender(tab, link);
  const isPrerendered = await follow(tab, link);
  await tab.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
  const times = await tab.evaluate(() => {
    const [{ activationStart = 0 } = {}] = performance.getEntriesByType('navigation');
    const [paint] = performance.getEntriesByName('first-paint');
    const pressed = Number(localStorage['pressed']) - performance.timeOrigin;
    return {
      shown: activationStart - pressed,
      painted: (paint?.startTime ?? Number.NaN) - pressed,
    };
  });
  return { isPrerendered, ...times };
}

async function servePlainPages(): Promise<{ url: string } & Disposable> {
  const server = createServer(({ url = '/' }, response) => {
    response.setHeader('Content-Type', 'text/html').end(plainPage(url));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

await onBuiltSite(process.argv.slice(2), async ({ site, pages }) => {
  const browser = await launchPrerenderingBrowser();
  using plain = await servePlainPages();
  const plainTimes: number[] = [];
  const measurePlain = async () => {
    for (let count = 0; count < plainTries / 2; count += 1) {
      const tab = await browser.newPage();
      await tab.goto(plain.url);
      plainTimes.push((await measure(tab, 'a')).painted);
      await tab.close();
    }
  };
  const open = async (path: string, area: string) => {
    const tab = await browser.newPage();
    await tab.goto(site.url + path);
    return { tab, hrefs: await tab.evaluate(numberLinks, area) };
  };
  const rows: string[][] = [columns];
  const medians: number[] = [];
  const all: number[] = [];
  await measurePlain();
  for (const { path } of pages) {
    // Links in header and footer are measured once, on the first page.
    const area = rows.length === 1 ? 'body' : 'main';
    const { tab: first, hrefs } = await open(path, area);
    await first.close();
    for (const [number, href] of hrefs.entries()) {
      const measured: Awaited<ReturnType<typeof measure>>[] = [];
      while (measured.length < tries) {
        const { tab } = await open(path, area);
        measured.push(await measure(tab, `[data-number="${number}"]`));
        await tab.close();
      }
      const painted = measured.map((one) => one.painted);
      all.push(...painted);
      medians.push(median(painted));
      rows.push([
        path,
        href,
        measured.every((one) => one.isPrerendered) ? 'yes' : 'no',
        ...[median(measured.map((one) => one.shown)), median(painted), worst(painted)].map((time) =>
          time.toFixed(0),
        ),
      ]);
    }
  }
  await measurePlain();
  await browser.close();
  console.log(table(rows));
  const round = (time: number): string => time.toFixed(0);
  const [ours, theirs] = [median(medians), median(plainTimes)];
  console.log(
    `${medians.length} links, medians of ${tries}: median ${round(ours)}, worst ${round(worst(medians))} ms; slowest of all ${all.length}: ${round(worst(all))} ms`,
  );
  console.log(
    `A link between pages of 400 plain words, median of ${plainTries}: ${round(theirs)} ms; ours take ${(ours / theirs).toFixed(2)} × as long`,
  );
});

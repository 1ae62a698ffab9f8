// `pnpm navigation [path…]`: how long a visitor waits for the next page after pressing a link that
// the pointer rested on, in milliseconds from the press to the first paint, for every internal link.
import { follow, launchPrerenderingBrowser, prerender } from '../support/prerendering.ts';
import { table } from './table.ts';
import { onBuiltSite } from './tool.ts';

/** Runs in the page: numbers its links to other public pages, one for each; returns where they lead. */
const numberLinks = (area: string): string[] => {
  const hrefs: string[] = [];
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`${area} a[href^="/"]`)) {
    const href = link.getAttribute('href') ?? '';
    const isExcluded = /^\/(?:api|auth|profile|uploads|newsletter|blog\/editor)|[.?]/.test(href);
    const isSame = link.pathname === location.pathname;
    if (isExcluded || isSame || hrefs.includes(href) || !link.checkVisibility()) continue;
    link.dataset['number'] = String(hrefs.length);
    hrefs.push(href);
  }
  return hrefs;
};

await onBuiltSite(process.argv.slice(2), async ({ site, pages }) => {
  const browser = await launchPrerenderingBrowser();
  const rows: string[][] = [['page', 'link', 'prerendered', 'press to paint']];
  for (const { path } of pages) {
    // Header and footer are the same on every page: their links are followed from the first one.
    const area = rows.length === 1 ? 'body' : 'main';
    for (let number = 0, count = 1; number < count; number += 1) {
      const tab = await browser.newPage();
      await tab.goto(site.url + path);
      const hrefs = await tab.evaluate(numberLinks, area);
      count = hrefs.length;
      if (count === 0) break;
      await tab.evaluate(() =>
        addEventListener('pointerdown', ({ timeStamp }) => {
          localStorage['pressed'] = performance.timeOrigin + timeStamp;
        }),
      );
      const link = `[data-number="${number}"]`;
      await prerender(tab, link);
      const isPrerendered = await follow(tab, link);
      const wait = await tab.evaluate(() => {
        const [{ activationStart = 0 } = {}] = performance.getEntriesByType('navigation');
        const [paint] = performance.getEntriesByName('first-paint');
        const painted = Math.max(paint?.startTime ?? Number.NaN, activationStart);
        return performance.timeOrigin + painted - Number(localStorage['pressed']);
      });
      rows.push([path, hrefs[number] ?? '', isPrerendered ? 'yes' : 'no', wait.toFixed(0)]);
      await tab.close();
    }
  }
  await browser.close();
  console.log(table(rows));
  const waits = rows.slice(1).map(([, , , wait]) => Number(wait));
  const sorted = waits.toSorted((a, b) => a - b);
  console.log(
    `${sorted.length} links; median ${sorted[sorted.length >> 1]}, worst ${sorted.at(-1)} ms`,
  );
});

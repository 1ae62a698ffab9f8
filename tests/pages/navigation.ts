// `pnpm navigation [path…]`: how long a visitor waits for the next page after pressing a link that
// the pointer rested on: milliseconds from the click until the next page has replaced this one, and
// until its first frame is on the screen, for every internal link.
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

await onBuiltSite(process.argv.slice(2), async ({ site, pages }) => {
  const browser = await launchPrerenderingBrowser();
  const rows: string[][] = [['page', 'link', 'prerendered', 'press to page', 'press to paint']];
  for (const { path } of pages) {
    // Links in header and footer are measured once, on the first page.
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
      await tab.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
      const [shown, painted] = await tab.evaluate(() => {
        const [{ activationStart = 0 } = {}] = performance.getEntriesByType('navigation');
        const [paint] = performance.getEntriesByName('first-paint');
        const pressed = Number(localStorage['pressed']) - performance.timeOrigin;
        return [activationStart - pressed, (paint?.startTime ?? Number.NaN) - pressed];
      });
      rows.push([
        path,
        hrefs[number] ?? '',
        isPrerendered ? 'yes' : 'no',
        ...[shown, painted].map((time) => Number(time).toFixed(0)),
      ]);
      await tab.close();
    }
  }
  await browser.close();
  console.log(table(rows));
  const waits = rows.slice(1).map((row) => Number(row.at(-1)));
  const sorted = waits.toSorted((a, b) => a - b);
  console.log(
    `${sorted.length} links; median ${sorted[sorted.length >> 1]}, worst ${sorted.at(-1)} ms`,
  );
});

import type { Request } from 'playwright/test';
import { expect, test } from '../support/site-test.ts';

/** In bytes with Brotli, for the form’s scripts without React. */
const budget = 11_500;

const isShared = (request: Request) => /\/(?:react|client)\./.test(request.url());

for (const [path, control] of [
  ['/contact', '#contact-name'],
  ['/careers', 'main astro-island > button'],
  ['/about', '#newsletter-email'],
] as const) {
  test(`the form of ${path} stays within its byte budget and loads on intent`, {
    tag: path === '/contact' ? [] : '@full',
  }, async ({ page }) => {
    const scripts: Request[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request);
    });
    await page.goto(path);
    await page.locator(control).scrollIntoViewIfNeeded();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    // Without React: the build checks it (apps/web/hydration/scripts-without-react.ts).
    const own = await page.evaluate(() => Array.from(document.scripts, ({ src }) => src));
    expect(scripts.splice(0).map((request) => request.url())).toEqual(own.filter(Boolean));

    await page.locator(control).focus();
    await expect(page.locator('form[novalidate]')).toBeAttached();
    expect(scripts.filter(isShared)).toHaveLength(2);
    const sizes = await Promise.all(
      scripts
        .filter((request) => !isShared(request))
        .map(async (request) => {
          await (await request.response())?.finished();
          return request.sizes();
        }),
    );
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(budget);
  });
}

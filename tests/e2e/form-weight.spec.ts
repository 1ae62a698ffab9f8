import type { Request } from 'playwright/test';
import { expect, test } from '../support/site-test.ts';

/** In bytes with Brotli, for the form’s scripts without React. */
const budget = 13_000;

const isShared = (request: Request) => /\/(?:react|client)\./.test(request.url());

/** With the page's own scripts, which run without an interaction. */
const forms: [path: string, control: string, scripts: RegExp[]][] = [
  // The first restores drafts, the second is a part of it, the last chooses the service in the URL.
  ['/contact', '#contact-name', [/\/SavedDrafts\./, /\/contact\.astro_/, /\/page-scripts\./]],
  ['/careers', 'main astro-island > button', [/\/SavedDrafts\./, /\/page-scripts\./]],
  ['/about', '#newsletter-email', []],
];

for (const [path, control, own] of forms) {
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
    expect(scripts.splice(0).map((request) => request.url())).toEqual(
      own.map((name) => expect.stringMatching(name)),
    );

    await page.locator(control).focus();
    await expect(page.locator('form[data-enhanced]')).toBeAttached();
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

import type { Page } from 'playwright/test';

/** Waits until the page has everything that it loads by itself, shortly after the load event. */
export async function goOffline(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.styleSheets].some(({ href }) => href?.includes('/deferred.')),
  );
  await page.context().setOffline(true);
}

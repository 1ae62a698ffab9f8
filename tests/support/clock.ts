import { expect, type Locator, type Page } from 'playwright/test';

/**
 * From now on only the test moves the page's clock; after `install` it runs as usual, also while
 * the machine stalls. Timers that are due within ten minutes run once.
 */
export const pauseClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt((await page.evaluate(() => Date.now())) + 600_000);

/** Moves a paused clock, as timers lead to the element. */
export const runUntilVisible = (page: Page, element: Locator): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(500);
    await expect(element).toBeVisible({ timeout: 500 });
  }).toPass();

import { expect, type Locator, type Page } from 'playwright/test';

/**
 * Stops the page's clock, so that only the test moves it. After `install` alone, it would run as
 * usual, even while the machine stalls. Timers that are due within ten minutes run once.
 */
export const pauseClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt((await page.evaluate(() => Date.now())) + 600_000);

/** Moves a paused clock until timers have made the element visible. */
export const runUntilVisible = (page: Page, element: Locator): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(500);
    await expect(element).toBeVisible({ timeout: 500 });
  }).toPass();

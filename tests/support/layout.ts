import { expect, type Page } from 'playwright/test';

/** The page is not wider than its window. Late fonts and styles may still change that. */
export const expectToFit = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

import { expect, type Page } from 'playwright/test';

/** Waits until the page is no wider than its window, because fonts and styles can be late. */
export const expectToFit = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

import { findPages, type SitePage } from './pages.ts';
import { test as base, expect } from './site-test.ts';

export { expect };

/**
 * Tests that visit every page. Their site is not that of the tests which write posts, so it has
 * the same pages in every run: Playwright gives tests with other worker fixtures other workers.
 */
export const test = base.extend<object, { pages: readonly SitePage[] }>({
  pages: [async ({ site }, use) => use(await findPages(site.dataDir)), { scope: 'worker' }],
});

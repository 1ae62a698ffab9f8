import { findPages, type SitePage } from './pages.ts';
import { test as base, expect } from './site-test.ts';

export { expect };

/**
 * Tests that visit every page. Playwright uses separate workers for separate worker fixtures, so
 * their site has no posts from other tests and the same pages in every run.
 */
export const test = base.extend<object, { pages: readonly SitePage[] }>({
  pages: [async ({ site }, use) => use(await findPages(site.dataDir)), { scope: 'worker' }],
});

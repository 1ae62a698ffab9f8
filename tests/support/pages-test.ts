import { OidcProvider } from '@app/api/src/testing/oidc-provider.ts';
import { isFullRun } from './full-run.ts';
import type { PageErrors } from './page-errors.ts';
import { findPages, type SitePage } from './pages.ts';
import { test as base, expect } from './site-test.ts';

export { expect };

interface WorkerFixtures {
  pages: readonly SitePage[];
  /** Stands in for Google. */
  provider: OidcProvider;
}

/**
 * Tests that visit every page. Playwright uses separate workers for separate worker fixtures, so
 * their site has no posts from other tests and the same pages in every run. Tests of the sign-in
 * with Google share it: they need special settings, and write no posts.
 */
export const test = base.extend<object, WorkerFixtures>({
  pages: [async ({ site }, use) => use(await findPages(site.dataDir)), { scope: 'worker' }],

  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      await using provider = await OidcProvider.start(Date.now, true);
      await use(provider);
    },
    { scope: 'worker' },
  ],

  siteEnv: [
    async ({ provider }, use) => {
      await use({
        GOOGLE_CLIENT_ID: provider.clientId,
        GOOGLE_CLIENT_SECRET: provider.clientSecret,
        GOOGLE_ISSUER: provider.issuer,
      });
    },
    { scope: 'worker' },
  ],
});

/**
 * Every nth page, starting with the home page or one after it, or all pages in full runs. Marks the
 * status of 404 pages as expected.
 */
export function samplePages(
  pages: readonly SitePage[],
  pageErrors: PageErrors,
  every: number,
  first = 0,
): readonly SitePage[] {
  const sample = isFullRun ? pages : pages.filter((_, index) => index % every === first);
  for (const { path, status } of sample) {
    if (status === 404) pageErrors.expect(/status of 404/, path);
  }
  return sample;
}

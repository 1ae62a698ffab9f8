import { defineConfig } from 'playwright/test';
import { launchOptions } from './support/browser.ts';
import { isFullRun } from './support/full-run.ts';

/** The fixtures in e2e start the app: each worker its own, on a free port and a temporary DATA_DIR. */
export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  // A test that passes the second time has found something, too.
  retries: 0,
  // On a busy machine a process, as of pictures, needs more than a few seconds to start.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions,
    // A quarter of the time; for a test that fails, run it alone with --trace=on.
    trace: isFullRun ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone-only/,
      use: { viewport: { width: 1_280, height: 800 } },
    },
    {
      // The narrowest phones in use, and WCAG 1.4.10's neighbour (320 CSS pixels is its bound).
      name: 'phone',
      // What depends on the width of the page: `@phone` at both widths, `@phone-only` at this one.
      grep: /@phone/,
      use: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    },
  ],
});

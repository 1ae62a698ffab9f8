import { findHeadlessShell } from '@app/tasks/browser';
import { defineConfig } from 'playwright/test';
import { launchOptions } from './support/browser.ts';
import { isFullRun } from './support/full-run.ts';
import { desktop, phone } from './support/screens.ts';

const headlessShell = findHeadlessShell();

/** Not run per screen: it opens its own browser contexts. */
const payloads = 'xss.spec.ts';

/** Specs that run on a site without posts from other tests: tests/support/pages-test.ts. */
const withoutPosts = [
  'accessibility',
  'google',
  'graceful-degradation',
  'links',
  'styles',
  'weight',
].map((name) => `${name}.spec.ts`);

const fullOnly = isFullRun ? [] : [/@full\b/];
const notOnDesktop = [/@phone-only/, ...fullOnly, ...(isFullRun ? [] : [/@desktop-full/])];

/** Full runs have ten times as many tests, so their projects get all workers. */
const oneWorker = isFullRun ? {} : { workers: 1 };

/** Fixtures start one app per worker, on a free port and a temporary DATA_DIR. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './support/test-sites.ts',
  // One more than a small machine has cores, because tests spend time waiting.
  workers: 3,
  // Build machines stall for seconds. The summary lists tests that needed the second try: a defect.
  retries: 1,
  // A busy machine stalls for up to a minute. Tests that pass never wait for a timeout.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  use: {
    launchOptions: headlessShell
      ? { ...launchOptions, executablePath: headlessShell }
      : launchOptions,
    // Animations and view transitions are slow without a GPU, and axe needs the final colors.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing takes a quarter of the time, and its script in the sandboxed preview makes the browser
    // report an error. Use --trace=on for a single test.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  // Each worker starts a browser and a server, about twelve seconds of CPU time. So a project that
  // one worker can finish while the others run gets only one, and starts first.
  projects: [
    { name: 'payloads', testMatch: payloads, grepInvert: fullOnly, ...oneWorker },
    {
      name: 'phone',
      // Tests that depend on the width.
      grep: isFullRun ? /@phone/ : /@phone(?!-full)/,
      grepInvert: fullOnly,
      use: phone,
      ...oneWorker,
    },
    {
      name: 'pages',
      testMatch: withoutPosts,
      grepInvert: notOnDesktop,
      use: desktop,
      ...oneWorker,
    },
    {
      name: 'desktop',
      testIgnore: [payloads, ...withoutPosts],
      grepInvert: notOnDesktop,
      use: desktop,
    },
  ],
});

import { findHeadlessShell } from '@app/tasks/browser';
import { defineConfig } from 'playwright/test';
import { launchOptions } from './support/browser.ts';
import { isFullRun } from './support/full-run.ts';
import { desktop, phone } from './support/screens.ts';

const headlessShell = findHeadlessShell();

/** Its browsers have windows of their own. */
const payloads = 'xss.spec.ts';

/** On a site without posts of other tests: tests/support/pages-test.ts. */
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

/** A full run has ten times the tests. */
const oneWorker = isFullRun ? {} : { workers: 1 };

/** Fixtures start one app per worker, on a free port and a temporary DATA_DIR. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './support/test-sites.ts',
  // One more than the cores of a small machine, because tests also wait.
  workers: 3,
  // Build machines stall for seconds. The summary names what passed on the second try: a defect.
  retries: 1,
  // A busy machine stalls for up to a minute. Passing tests wait for states, never for these.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  use: {
    launchOptions: headlessShell
      ? { ...launchOptions, executablePath: headlessShell }
      : launchOptions,
    // Chromium draws animations and view transitions without a GPU. axe sees final colors.
    contextOptions: { reducedMotion: 'reduce' },
    // Traces take a quarter of the time, and run a script in the sandboxed preview, which the browser
    // reports as an error. Use --trace=on for a single test.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  // Each start of a worker costs a browser and a server: about twelve seconds of processor time. So
  // what a single worker can do beside the others gets one, and begins first.
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

import { defineConfig } from 'playwright/test';
import { launchOptions } from './support/browser.ts';

/** What does not depend on how wide a page is, or looks at both widths itself. */
const sameAtEveryWidth = [
  'auth-password',
  'contact-delivery',
  'contact-draft',
  'form-weight',
  'google',
  'hostile-text',
  'newsletter-confirm',
  'sharing',
  'text-files',
  'weight',
];

/** The fixtures in e2e start the app: each worker its own, on a free port and a temporary DATA_DIR. */
export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  // A test that passes the second time has found something, too.
  retries: 0,
  use: {
    launchOptions,
    trace: 'retain-on-failure',
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone/,
      use: { viewport: { width: 1_280, height: 800 } },
    },
    {
      // The narrowest phones in use, and WCAG 1.4.10's neighbour (320 CSS pixels is its bound).
      name: 'phone',
      grepInvert: /@desktop/,
      testIgnore: sameAtEveryWidth.map((name) => `**/${name}.spec.ts`),
      use: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    },
  ],
});

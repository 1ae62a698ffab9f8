import { findChromium } from '@app/tasks/browser';
import type { LaunchOptions } from 'playwright/test';

const executablePath = findChromium();

/** Uses the machine's Chromium, or Playwright's. */
export const launchOptions: LaunchOptions = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    // Chromium's sandbox does not support root.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    // Tests must not depend on the internet.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

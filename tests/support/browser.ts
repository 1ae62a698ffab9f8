import { findChromium } from '@app/tasks/browser';
import type { LaunchOptions } from 'playwright/test';

export { findChromium };

const executablePath = findChromium();

/** How a browser is started for tests and measurements; without the machine's own, Playwright's. */
export const launchOptions: LaunchOptions = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    // Build machines run as root, which Chromium's sandbox refuses; it only sees our own pages.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    // Nothing but the tested site may be asked for: tests must not depend on the internet.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the browsers that package managers and people install end up. Not
 * /usr/bin/chromium-browser: on Ubuntu that is a script which only asks for a snap.
 */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) =>
    join(process.env[name] ?? '', 'Google', 'Chrome', 'Application', 'chrome.exe'),
  ),
];

/**
 * The machine's own Chromium or Chrome; without one, Playwright's own serves.
 * @param {readonly string[]} [candidates]
 * @returns {string | undefined} an absolute path
 */
export const findChromium = (candidates = places) => candidates.find((path) => existsSync(path));

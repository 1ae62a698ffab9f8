import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from './debian.mjs';
import { Failure } from './failure.mjs';
import { root, runNode } from './run.mjs';

/**
 * Where package managers and people install browsers. Without /usr/bin/chromium-browser, which on
 * Ubuntu is a script that only asks to install a snap.
 */
const candidates = [
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

/** The installed Chromium or Chrome. Without one, the tests use Playwright's. */
export const findChromium = () => candidates.find((path) => existsSync(path));

/** Chromium without a window takes a third less CPU for the same tests. It is a Debian package. */
const headlessShell = '/usr/lib/chromium/chromium-headless-shell';

export const findHeadlessShell = () => (existsSync(headlessShell) ? headlessShell : undefined);

/** Installs a browser for the tests, unless the machine or Playwright has one. */
export const installBrowser = async () => {
  const isInstalled = () =>
    findChromium() !== undefined || existsSync(playwright().chromium.executablePath());
  const canUseApt = canInstallPackages();
  if (isInstalled() && (!canUseApt || findHeadlessShell())) return;
  console.log('Installing a browser for the tests');
  if (canUseApt) await installPackages(['chromium', 'chromium-headless-shell']);
  // The tests also run with the full Chromium, but slower.
  if (isInstalled()) return;
  const code = await runNode(['tests/node_modules/playwright/cli.js', 'install', 'chromium']);
  if (code === 0) return;
  throw new Failure(
    'The browser tests need a browser, and none could be installed (see above): install Chromium ' +
      'or Chrome, on Debian with `apt-get install chromium` as root, and try again.',
  );
};

/** Only Playwright knows the path of its browser: it depends on version, system and settings. */
const playwright = () => createRequire(join(root, 'tests/package.json'))('playwright');

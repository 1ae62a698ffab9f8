import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findChromium } from './browser.mjs';
import { Failure } from './failure.mjs';
import { runProgram } from './programs.mjs';
import { run } from './run.mjs';
import { root } from './workspace.mjs';

/** Sees to it that the browser tests have a browser: the machine's, Playwright's, or a new one. */
export const installBrowser = async () => {
  if (findChromium() || hasPlaywrightsOwn()) return 0;
  console.log('Installing a browser for the tests');
  if (isDebian(readOsRelease()) && process.getuid?.() === 0) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const updated = await run('apt-get', ['update'], { env });
    if (updated === 0) await run('apt-get', ['install', '-y', 'chromium'], { env });
    if (findChromium()) return 0;
  }
  await runProgram({ folder: 'tests', dependency: 'playwright' }, ['install', 'chromium']);
  if (hasPlaywrightsOwn()) return 0;
  throw new Failure(
    'The browser tests need a browser, there is none here and none could be installed (the reason ' +
      'is above): install Chromium or Chrome, on Debian with `apt-get install chromium` as root, ' +
      'and run this again.',
  );
};

/** Asked of Playwright itself: where it keeps its browsers depends on version, system and settings. */
const hasPlaywrightsOwn = () => {
  const { chromium } = createRequire(join(root, 'tests/package.json'))('playwright');
  return existsSync(chromium.executablePath());
};

const readOsRelease = () => {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
};

/**
 * Debian itself only: Ubuntu's package of the same name installs a snap, which containers cannot.
 * @param {string} osRelease the text of /etc/os-release
 */
export const isDebian = (osRelease) => /^ID="?debian"?$/m.test(osRelease);

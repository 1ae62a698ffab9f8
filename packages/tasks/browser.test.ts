import { describe, expect, it } from 'vitest';
import { findChromium } from './browser.mjs';
import { isDebian } from './install-browser.mjs';

describe('the browser', () => {
  it('is the first that is there', () => {
    expect(findChromium(['/nowhere/chromium', process.execPath, '/'])).toBe(process.execPath);
  });

  it('may be missing', () => {
    expect(findChromium(['/nowhere/chromium'])).toBeUndefined();
  });

  it.each([
    ['PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n', true],
    ['ID="debian"\nVERSION_ID="12"', true],
    ['ID=ubuntu\nID_LIKE=debian\n', false],
    ['ID=alpine', false],
    ['', false],
  ])('comes from apt on Debian only: %j', (osRelease, expected) => {
    expect(isDebian(osRelease)).toBe(expected);
  });
});

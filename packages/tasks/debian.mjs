import { existsSync, readFileSync } from 'node:fs';
import { run } from './run.mjs';

/** Excludes Ubuntu: its package `chromium` installs a snap, which is impossible in containers. */
const isDebian = () =>
  existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Whether `installPackages` works here: on Debian, as root. */
export const canInstallPackages = () => isDebian() && process.getuid?.() === 0;

/**
 * @param {readonly string[]} packages
 * @param {readonly string[]} [options] of apt-get
 * @returns {Promise<boolean>} whether they are installed
 */
export const installPackages = async (packages, options = []) => {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  if ((await run('apt-get', ['update'], { env })) !== 0) return false;
  return (await run('apt-get', ['install', '-y', ...options, ...packages], { env })) === 0;
};

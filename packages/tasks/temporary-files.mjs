import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const minBytes = 2_000_000_000;

/**
 * Where tests put temporary files: in memory if Linux has enough, because on a disk tests mostly
 * wait for renames and flushes.
 */
export const temporaryFiles = () =>
  !process.env['TMPDIR'] && isMemoryUsable() ? memory : tmpdir();

/**
 * A folder that is removed when this process ends.
 * @param {string} prefix
 */
export function makeTemporaryFolder(prefix) {
  const folder = mkdtempSync(join(temporaryFiles(), prefix));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** In containers, it often has only 64 MB and does not allow files to be executed. */
function isMemoryUsable() {
  if (process.platform !== 'linux') return false;
  const mount = new RegExp(`^\\S+ ${memory} tmpfs (\\S+)`, 'm');
  const [, options = 'noexec'] = mount.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
  if (/\b(?:noexec|ro)\b/.test(options)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= minBytes;
}

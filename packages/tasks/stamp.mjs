import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * One line that changes when any of the files does: in content, name, or by coming or going.
 * Times are left out, so that a fresh checkout of the same commit gives the same line.
 * @param {string} top the folder that paths are relative to
 * @param {readonly string[]} paths files and folders; one that is not there counts as such
 * @param {{ skip?: readonly string[], extra?: string }} [options] names of files and folders to
 *   pass over at any depth, and what else the result depends on
 */
export const fingerprint = (top, paths, { skip = [], extra = '' } = {}) => {
  const hash = createHash('sha256').update(extra);
  /** @param {string} path */
  const add = (path) => {
    const full = join(top, path);
    const found = statSync(full, { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      for (const name of readdirSync(full).sort()) {
        if (!skip.includes(name)) add(`${path}/${name}`);
      }
      return;
    }
    const content = found ? readFileSync(full) : null;
    hash.update(`\0${path}\0${content === null ? 'absent' : content.length}\0`);
    if (content !== null) hash.update(content);
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
};

/**
 * @param {string} file
 * @param {string} stamp
 */
export const isStamped = (file, stamp) => {
  try {
    return readFileSync(file, 'utf8') === stamp;
  } catch {
    return false;
  }
};

/**
 * Does the work with the stamp taken away, and puts it back only when the work came to its end:
 * whatever interrupts it, the next run starts it again.
 * @param {string} file
 * @param {() => string} stamp read after the work, which may have changed what it is made of
 * @param {() => Promise<void>} work
 */
export const stamped = async (file, stamp, work) => {
  rmSync(file, { force: true });
  await work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stamp());
};

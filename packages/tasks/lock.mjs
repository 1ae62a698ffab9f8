import {
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A holder touches its lock this often, in milliseconds, … */
const heartbeat = 1_000;
/** … and is taken for dead when it has not for this long: process ids repeat, in containers above all. */
const silence = 15_000;

/**
 * Does the work while no other process does work under the same lock: a second start waits for
 * the first one's install instead of installing into the same folder.
 * @template T
 * @param {string} file where the lock lives
 * @param {() => Promise<T>} work
 * @param {(message: string) => void} [tell] called once, when there is something to wait for
 * @returns {Promise<T>}
 */
export const exclusively = async (file, work, tell = console.log) => {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!taken(file)) {
    if (isDead(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!told) tell('Another run is installing or building here: waiting for it to finish.');
    told = true;
    await wait(100);
  }
  const release = () => rmSync(file, { force: true });
  const beat = setInterval(() => touch(file), heartbeat);
  process.on('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
};

/**
 * A link appears with its content, so that nobody ever reads a lock without its owner's id.
 * @param {string} file
 */
const taken = (file) => {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
};

/** @param {string} file */
const isDead = (file) => {
  try {
    if (Date.now() - statSync(file).mtimeMs > silence) return true;
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
};

/** @param {string} file */
const touch = (file) => {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Gone when someone cleaned the folder: the work goes on, only unguarded.
  }
};

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hour } from '@app/contract/durations';
import { lockFolder } from '@app/db/folder-lock';

const partialOf = /^\.(.+)\.partial-\w{6}$/;

/**
 * Runs `work` in a new private folder, and deletes the folder. A lock marks the folder as in use:
 * other processes delete folders without one, which killed processes left behind.
 * @param name name of the archive
 * @param isOurs whether abandoned folders of an archive with this name may be deleted
 * @param now milliseconds since 1970
 */
export async function inStagingFolder<T>(
  parent: string,
  { name, isOurs, now }: { name: string; isOurs(name: string): boolean; now: number },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await removeAbandoned(parent, isOurs, now);
  const { folder, unlock } = makeLockedFolder(join(parent, `.${name}.partial-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    unlock();
  }
}

/** Tries again if another backup locks and deletes the folder before this one has locked it. */
function makeLockedFolder(prefix: string): { folder: string; unlock: () => void } {
  for (;;) {
    // mkdtemp makes it accessible only to its owner.
    const folder = mkdtempSync(prefix);
    try {
      const unlock = lockFolder(folder);
      if (unlock && existsSync(folder)) return { folder, unlock };
      unlock?.();
    } catch (error) {
      if (!existsSync(folder)) continue;
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

async function removeAbandoned(
  parent: string,
  isOurs: (name: string) => boolean,
  now: number,
): Promise<void> {
  for (const entry of readdirSync(parent)) {
    const name = partialOf.exec(entry)?.[1];
    if (name === undefined || !isOurs(name)) continue;
    const folder = join(parent, entry);
    if (!isLockable(folder, now)) continue;
    const unlock = lockUnlessGone(folder);
    if (!unlock) continue;
    await rm(folder, { recursive: true, force: true });
    unlock();
  }
}

/** A folder without a lock file is being created or deleted. If it is old, a kill left it. */
const isLockable = (folder: string, now: number): boolean => {
  const madeAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now;
  return existsSync(join(folder, 'server.lock')) || madeAt < now - hour;
};

function lockUnlessGone(folder: string): ReturnType<typeof lockFolder> {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (existsSync(folder)) throw error;
    return null;
  }
}

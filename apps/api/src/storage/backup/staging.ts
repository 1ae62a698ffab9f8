import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hour } from '@app/contract/durations';
import { lockFolder } from '@app/db/folder-lock';

const partialOf = /^\.(.+)\.partial-\w{6}$/;

/**
 * Works in a new private folder, and deletes it. Its lock tells other processes that it is in use:
 * they delete those of processes that were killed.
 * @param name of the archive
 * @param isOurs whether an archive with this name may be deleted before it is complete
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

/** Between making its lock file and locking it, another backup may lock it, and delete it. */
function makeLockedFolder(prefix: string): { folder: string; unlock: () => void } {
  for (;;) {
    // Only readable by its owner.
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

/** Without a lock file it is being made or deleted, unless its process was killed at that moment. */
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

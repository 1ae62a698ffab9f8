import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '@app/db/folder-lock';

const partialOf = /^\.(.+)\.partial-\w{6}$/;

/**
 * Works in a new private folder, and deletes it. Its lock tells other processes that it is in use:
 * they delete those of processes that were killed.
 * @param name of the archive
 * @param isOurs whether an archive with this name may be deleted before it is complete
 */
export async function inStagingFolder<T>(
  parent: string,
  name: string,
  isOurs: (name: string) => boolean,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await removeAbandoned(parent, isOurs);
  const { folder, unlock } = makeLockedFolder(join(parent, `.${name}.partial-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    unlock();
  }
}

/** Until it has its lock, another backup takes it for abandoned, and may delete it. */
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

async function removeAbandoned(parent: string, isOurs: (name: string) => boolean): Promise<void> {
  for (const entry of readdirSync(parent)) {
    const name = partialOf.exec(entry)?.[1];
    if (name === undefined || !isOurs(name)) continue;
    const folder = join(parent, entry);
    const unlock = lockUnlessGone(folder);
    if (!unlock) continue;
    await rm(folder, { recursive: true, force: true });
    unlock();
  }
}

/** Also one without a lock file, whose process was killed before it made one. */
function lockUnlessGone(folder: string): ReturnType<typeof lockFolder> {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (existsSync(folder)) throw error;
    return null;
  }
}

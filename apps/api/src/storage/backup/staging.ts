import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
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
  // Only readable by its owner.
  const folder = mkdtempSync(join(parent, `.${name}.partial-`));
  let unlock: ReturnType<typeof lockFolder> = null;
  try {
    unlock = lockFolder(folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    unlock?.();
  }
}

async function removeAbandoned(parent: string, isOurs: (name: string) => boolean): Promise<void> {
  for (const entry of readdirSync(parent)) {
    const name = partialOf.exec(entry)?.[1];
    const folder = join(parent, entry);
    if (name === undefined || !isOurs(name) || !existsSync(join(folder, 'server.lock'))) continue;
    const unlock = lockFolder(folder);
    if (!unlock) continue;
    await rm(folder, { recursive: true, force: true });
    unlock();
  }
}

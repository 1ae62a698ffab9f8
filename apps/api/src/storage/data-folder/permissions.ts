import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../log.ts';
import { unlessMissing } from '../../unless-missing.ts';

/** `group` is for a web server that serves DATA_DIR/site as another user. */
export type SiteReaders = 'owner' | 'group';

const modes = {
  owner: { umask: 0o077, dataDir: 0o700, folder: 0o700, file: 0o600 },
  // The group can traverse DATA_DIR, but not list it.
  group: { umask: 0o027, dataDir: 0o710, folder: 0o750, file: 0o640 },
} as const;

/** The rest of DATA_DIR is private. */
const publicFolder = 'releases';

export const restrictNewFiles = (readers: SiteReaders): void =>
  void process.umask(modes[readers].umask);

/** Restricts DATA_DIR and its entries. If others had access, all files follow in the background. */
export function restrictDataFolder(dataDir: string, readers: SiteReaders, log: Log): void {
  const wanted = modes[readers];
  const wasOpen = (lstatSync(dataDir).mode & 0o777) !== wanted.dataDir;
  chmodSync(dataDir, wanted.dataDir);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const { folder, file } = entry.name === publicFolder ? wanted : modes.owner;
    const path = join(dataDir, entry.name);
    if (entry.isDirectory()) setMode(path, folder);
    else if (entry.isFile()) setMode(path, file);
    if (!wasOpen || !entry.isDirectory()) continue;
    restrictBelow(path, { folder, file }).catch((error: unknown) => {
      log.warn({ err: error }, 'could not set all permissions in DATA_DIR');
    });
  }
}

/**
 * Ignores entries that a running backup has removed in the meantime, and entries of another user,
 * such as a volume's lost+found: others have no access to DATA_DIR itself.
 */
function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EPERM') throw error;
  }
}

async function restrictBelow(at: string, mode: { folder: number; file: number }): Promise<void> {
  for (const entry of await readdir(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (entry.isDirectory()) {
      await unlessMissing(chmod(path, mode.folder), undefined);
      await unlessMissing(restrictBelow(path, mode), undefined);
    } else if (entry.isFile()) await unlessMissing(chmod(path, mode.file), undefined);
  }
}

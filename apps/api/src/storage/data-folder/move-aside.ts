import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { toIso } from '../../clock.ts';
import { syncNow } from '../../files/atomic-files.ts';

/** @param now milliseconds since 1970 */
export const previousFolder = (now: number): string =>
  `previous-${toIso(now).replaceAll(':', '-')}`;

/**
 * Moves entries of DATA_DIR into a new folder inside it, because DATA_DIR itself can be a volume.
 * Deletes nothing.
 * @param names of existing entries
 * @param now milliseconds since 1970
 * @returns the folder; null without entries
 */
export function moveAside(dataDir: string, names: readonly string[], now: number): string | null {
  if (names.length === 0) return null;
  const folder = join(dataDir, previousFolder(now));
  mkdirSync(folder, { mode: 0o700 });
  for (const name of names) renameSync(join(dataDir, name), join(folder, name));
  syncNow(folder);
  syncNow(dataDir);
  return folder;
}

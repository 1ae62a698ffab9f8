import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFiles } from '@app/tasks/temporary-files';

/**
 * Global setup of Vitest and Playwright: the folder of all sites, those that workers publish too.
 * `npm test` makes one for both, and removes it.
 */
export default function makeFolderOfSites(): () => void {
  const { TEST_SITES: shared } = process.env;
  if (shared) {
    mkdirSync(shared, { recursive: true });
    setCompileCache(shared);
    return () => undefined;
  }
  const folder = mkdtempSync(join(temporaryFiles(), 'sites-'));
  process.env['TEST_SITES'] = folder;
  setCompileCache(folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A fifth of a server's start is compiling scripts, which Node then takes from the last one that ended. */
function setCompileCache(folder: string): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
}

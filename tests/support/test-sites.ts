import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFiles } from '@app/tasks/temporary-files';

/**
 * Global setup of Vitest and Playwright: makes the folder of all sites, including those that workers
 * publish. `npm test` makes one folder for both, and removes it.
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

/** Compiling scripts is a fifth of a server's start. Node reuses what the last server cached. */
function setCompileCache(folder: string): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
}

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
    return () => undefined;
  }
  const folder = mkdtempSync(join(temporaryFiles(), 'sites-'));
  process.env['TEST_SITES'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

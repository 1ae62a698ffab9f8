import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFiles } from './temporary-files.ts';

/** Global setup of Vitest and Playwright: the folder of all sites, those that workers publish too. */
export default function makeFolderOfSites(): () => void {
  const folder = mkdtempSync(join(temporaryFiles(), 'sites-'));
  process.env['TEST_SITES'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository, whatever folder a command was called from. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What is neither source nor kept: reports, locks. In .gitignore. */
export const cacheFolder = join(root, '.cache');

/**
 * The folders of the workspace's packages, relative to its root: the same list as in
 * pnpm-workspace.yaml, which cannot be read before anything is installed.
 * @param {string} [top]
 */
export const packageFolders = (top = root) =>
  ['apps', 'packages']
    .flatMap((group) => namesIn(join(top, group)).map((name) => `${group}/${name}`))
    .concat('tests')
    .filter((folder) => existsSync(join(top, folder, 'package.json')));

/** @param {string} folder */
const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []);

import { join } from 'node:path';
import { root, runNode } from './run.mjs';

/**
 * Runs a Wireit script like `node --run`, without a shell, which would not pass signals on. Does
 * nothing if its files have not changed.
 * @param {string} name
 * @param {string} [folder] whose package.json has the script
 * @param {string} [label] printed before each line of output
 * @returns {Promise<number>} the exit code
 */
export const runScript = (name, folder = '.', label = undefined) =>
  runNode(['node_modules/wireit/bin/wireit.js'], {
    label,
    env: {
      NODE_RUN_SCRIPT_NAME: name,
      NODE_RUN_PACKAGE_JSON_PATH: join(root, folder, 'package.json'),
      // These belong to the npm that runs this command.
      npm_lifecycle_event: undefined,
      npm_package_json: undefined,
      // Wireit never deletes its copies of earlier builds.
      WIREIT_CACHE: 'none',
    },
  });

import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { exclusively } from './lock.mjs';
import { runProgram } from './programs.mjs';
import { fingerprint, isStamped, stamped } from './stamp.mjs';
import { cacheFolder, root } from './workspace.mjs';

/**
 * @typedef {object} Build
 * @property {string} what as a person calls it
 * @property {string} folder of the package that is built, into its dist/
 * @property {string} dependency the program that builds, by the name of its package
 * @property {readonly string[]} args
 * @property {readonly string[]} sources every file and folder that the result depends on
 */

/**
 * Builds a package, unless what is built came from the same sources.
 * @param {Build} build
 */
export const built = async ({ what, folder, dependency, args, sources }) => {
  const stampFile = join(root, folder, 'dist/.built');
  const stamp = () => fingerprint(root, sources, { skip: ['dist', 'node_modules', '.astro'] });
  if (isStamped(stampFile, stamp())) return;
  await exclusively(join(cacheFolder, 'tasks.lock'), async () => {
    const before = stamp();
    if (isStamped(stampFile, before)) return;
    console.log(`Building ${what}`);
    const build = async () => {
      const code = await runProgram({ folder, dependency }, args, {
        cwd: join(root, folder),
        env: { ASTRO_TELEMETRY_DISABLED: '1' },
      });
      if (code !== 0) {
        throw new Failure(
          `Building ${what} failed (${dependency}'s exit code ${code}): mend what it says above ` +
            `in ${folder} and run this again.`,
        );
      }
    };
    // The sources as they were when it began: a change during the build asks for another one.
    await stamped(stampFile, () => before, build);
  });
};

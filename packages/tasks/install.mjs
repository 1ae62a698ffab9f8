import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { exclusively } from './lock.mjs';
import { installedNode } from './programs.mjs';
import { run } from './run.mjs';
import { fingerprint, isStamped, stamped } from './stamp.mjs';
import { cacheFolder, packageFolders, root } from './workspace.mjs';

const pnpmMajor = 12;
const stampFile = join(root, 'node_modules/.installed');

/** The machine is part of it: a node_modules that was carried to another one does not fit there. */
const stamp = () =>
  fingerprint(
    root,
    [
      'pnpm-lock.yaml',
      'pnpm-workspace.yaml',
      'package.json',
      ...packageFolders().map((folder) => `${folder}/package.json`),
    ],
    { extra: `${process.platform} ${process.arch}` },
  );

/** A stamp says nothing of what was deleted since: the folders are looked for, too. */
const isInstalled = () =>
  isStamped(stampFile, stamp()) &&
  existsSync(installedNode) &&
  packageFolders().every(
    (folder) => !hasDependencies(folder) || existsSync(join(root, folder, 'node_modules')),
  );

/** @param {string} folder */
const hasDependencies = (folder) => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  return Object.keys(dependencies).length + Object.keys(devDependencies).length > 0;
};

/** Installs what the lockfile says, unless that is what is installed. */
export const install = async () => {
  if (isInstalled()) return;
  await exclusively(join(cacheFolder, 'tasks.lock'), async () => {
    if (isInstalled()) return;
    console.log('Installing the dependencies');
    await stamped(stampFile, stamp, async () => {
      const [command = 'npx', ...args] = pnpm();
      const code = await run(command, [...args, 'install', '--frozen-lockfile']).catch((error) => {
        throw new Failure(
          `${command} cannot be started (${error.message}): install npm with Node.`,
        );
      });
      if (code !== 0) {
        throw new Failure(
          `Installing the dependencies failed (pnpm's exit code ${code}, its reason is above): ` +
            'see that the npm registry can be reached and the disk has 2 GB free, then run this again.',
        );
      }
      if (!existsSync(installedNode)) {
        throw new Failure(
          'The dependencies are installed, but without Node 24, which the package `node` fetches ' +
            'in its install script: see that `ignore-scripts` is not set in your .npmrc, delete ' +
            'node_modules and run this again.',
        );
      }
    });
  });
};

/** A pnpm of our major version that is there already, else the one that npm fetches. */
const pnpm = () => {
  const found = spawnSync('pnpm', ['--version'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return found.status === 0 && found.stdout.trim().startsWith(`${pnpmMajor}.`)
    ? ['pnpm']
    : ['npx', '--yes', `pnpm@${pnpmMajor}`];
};

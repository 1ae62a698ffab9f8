import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { installedNode, root, run } from './run.mjs';

const pnpmMajor = 12;
const marker = join(root, 'node_modules/.installed');

/** What an install depends on: also the platform, because node_modules can be copied elsewhere. */
const wanted = () =>
  [
    `${process.platform} ${process.arch}`,
    ...['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => readFileSync(join(root, name))),
  ].join('\n');

/** Installs the dependencies in the lockfile, unless they are already installed. */
export const install = async () => {
  if (existsSync(installedNode) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted())
    return;
  console.log('Installing the dependencies');
  rmSync(marker, { force: true });
  const [command = 'npx', ...args] = pnpm();
  const code = await run(command, [...args, 'install', '--frozen-lockfile']).catch((error) => {
    throw new Failure(`${command} cannot be started (${error.message}): install npm with Node.`);
  });
  if (code !== 0) {
    throw new Failure(
      `Installing the dependencies failed (pnpm's exit code ${code}, see its output above): ` +
        'make sure that the npm registry can be reached and the disk has 2 GB free, then try again.',
    );
  }
  if (!existsSync(installedNode)) {
    throw new Failure(
      'Node 24 was not installed: the install script of the npm package `node` downloads it. ' +
        'Remove `ignore-scripts` from your .npmrc, delete node_modules and try again.',
    );
  }
  writeFileSync(marker, wanted());
};

/** An installed pnpm of the right major version, or one that npm downloads. */
export const pnpm = () => {
  const found = spawnSync('pnpm', ['--version'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return found.status === 0 && found.stdout.trim().startsWith(`${pnpmMajor}.`)
    ? ['pnpm']
    : ['npx', '--yes', `pnpm@${pnpmMajor}`];
};

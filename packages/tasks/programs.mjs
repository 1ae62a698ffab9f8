import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Failure } from './failure.mjs';
import { run } from './run.mjs';
import { root } from './workspace.mjs';

/** What the npm package `node` brings: the Node that everything but the tasks runs on. */
export const installedNode = join(
  root,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/**
 * The JavaScript file that a package of the workspace has for one of its dependencies' programs.
 * Started with our Node directly, it costs no shell and no search along PATH.
 * @param {string} folder of the package that depends on it, relative to the root
 * @param {string} dependency
 * @param {string} [program] when it has another name than its package
 */
export const programFile = (folder, dependency, program = dependency) => {
  const home = join(root, folder, 'node_modules', dependency);
  if (!existsSync(home)) {
    throw new Failure(
      `${dependency} is not installed in ${folder}: run \`npx pnpm@12 install\` and try again.`,
    );
  }
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin[program];
  if (!file) throw new Failure(`${dependency} has no program named ${program}.`);
  return join(home, file);
};

/** Programs that start `node` by name get the same one. */
export const nodeFirst = () => ({
  PATH: `${dirname(installedNode)}${delimiter}${process.env['PATH'] ?? ''}`,
});

/**
 * Runs our Node with these arguments; resolves to its exit code.
 * @param {readonly string[]} args
 * @param {import('./run.mjs').RunOptions} [options]
 */
export const runNode = (args, options = {}) =>
  run(installedNode, args, { ...options, env: { ...nodeFirst(), ...options.env } });

/**
 * Runs a dependency's program on our Node; resolves to its exit code.
 * @param {{ folder?: string, dependency: string, program?: string }} which
 * @param {readonly string[]} args
 * @param {import('./run.mjs').RunOptions} [options]
 */
export const runProgram = ({ folder = '.', dependency, program }, args, options) =>
  runNode([programFile(folder, dependency, program), ...args], options);

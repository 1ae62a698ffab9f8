import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The root of the repository, whatever folder a command was started in. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Node from the npm package `node`. It runs everything except these commands. */
export const installedNode = join(
  root,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] default: the root
 * @property {Record<string, string | undefined>} [env] added to this process's own
 * @property {import('node:child_process').StdioOptions} [stdio] default: no input, because a
 *   program that asks a question on a build machine would wait forever
 * @property {string | undefined} [label] put before each line of output, for programs that run at
 *   the same time
 */

/** @type {import('node:child_process').StdioOptions} */
const inherited = ['ignore', 'inherit', 'inherit'];
/** @type {import('node:child_process').StdioOptions} */
const labeled = ['ignore', 'pipe', 'pipe'];

/**
 * Runs a program to its end and passes on the signals that stop it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit code; 128 + n when signal n ended it
 */
export const run = (
  command,
  args,
  { cwd = root, env = {}, label, stdio = label ? labeled : inherited } = {},
) =>
  new Promise((resolve, reject) => {
    const colors = label && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
    const child = spawn(command, args, {
      cwd,
      stdio,
      env: { ...process.env, ...colors, ...env },
      // On Windows, npx and pnpm are .cmd files, which only a shell can start.
      shell: process.platform === 'win32' && !command.includes('\\'),
    });
    const forget = onStop((signal) => {
      // A terminal sends Ctrl-C to the child, too, and many programs stop at once at a second one.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
    child.on('error', (error) => {
      forget();
      reject(error);
    });
    if (label) {
      printLines(label, child.stdout, process.stdout);
      printLines(label, child.stderr, process.stderr);
    }
    // Unlike `exit`, this comes after all output was read.
    child.on('close', (code, signal) => {
      forget();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });

/**
 * @param {string} label
 * @param {import('node:stream').Readable | null} from
 * @param {NodeJS.WritableStream} to
 */
const printLines = (label, from, to) => {
  if (from) createInterface({ input: from }).on('line', (line) => to.write(`${label} │ ${line}\n`));
};

/**
 * Runs the installed Node. Programs that start `node` by name find it, too.
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export const runNode = (args, options = {}) =>
  run(installedNode, args, {
    ...options,
    env: {
      PATH: `${dirname(installedNode)}${delimiter}${process.env['PATH'] ?? ''}`,
      ...options.env,
    },
  });

/**
 * Calls back when this command should stop: on a signal, or when the npm that started it has ended.
 * npm starts scripts in a shell, which does not pass signals on.
 * @param {(signal: NodeJS.Signals) => void} callback
 * @returns {() => void} a function that stops listening
 */
export const onStop = (callback) => {
  /** @type {readonly NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, callback);
  const parent = process.ppid;
  const watch = setInterval(() => {
    // Without npm the parent is a shell, which may end before the program.
    if (!process.env['npm_lifecycle_event'] || process.ppid === parent) return;
    clearInterval(watch);
    callback('SIGTERM');
  }, 250).unref();
  return () => {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, callback);
  };
};

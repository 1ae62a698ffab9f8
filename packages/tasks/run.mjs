import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { onStop } from './stop.mjs';
import { root } from './workspace.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] the workspace's root when not given
 * @property {Record<string, string>} [env] added to this process's own
 * @property {import('node:child_process').StdioOptions} [stdio] no input and our output when not
 *   given: a program that asks a question on a build machine would wait for ever
 */

/**
 * Runs a program to its end, and passes on to it the signals that mean stop.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit code; 128 + n when signal n ended it
 */
export const run = (
  command,
  args,
  { cwd = root, env = {}, stdio = ['ignore', 'inherit', 'inherit'] } = {},
) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      stdio,
      env: { ...process.env, ...env },
      // npx and pnpm are .cmd files there, which only a shell starts.
      shell: process.platform === 'win32' && !command.includes('\\'),
    });
    const forget = onStop((signal) => {
      if (!isSentByTerminal(signal)) child.kill(signal);
    });
    child.on('error', (error) => {
      forget();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      forget();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });

/**
 * A terminal sends Ctrl-C to every process in it, the child included: passing it on would be a
 * second one, and a second Ctrl-C means "now, not gracefully" to many programs.
 * @param {NodeJS.Signals} signal
 */
const isSentByTerminal = (signal) => signal === 'SIGINT' && process.stdin.isTTY === true;

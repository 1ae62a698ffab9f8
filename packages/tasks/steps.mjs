import { existsSync } from 'node:fs';
import { readTests, summary } from './report.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {(label?: string) => Promise<number | void>} run resolves to an exit code, by default
 *   0; `label` is printed before each line of a step that runs at the same time as others
 * @property {string} [report] the JSON file that a step with tests writes
 */

/**
 * Runs groups one after the other, and the steps of a group at the same time. Stops after the first
 * group that fails. Prints each step's seconds, the slowest tests and the totals.
 * @param {readonly (readonly Step[])[]} groups
 * @param {(line: string) => void} [print]
 * @returns {Promise<number>} the exit code
 */
export const runSteps = async (groups, print = console.log) => {
  /** @type {import('./report.mjs').Test[]} */
  const tests = [];
  /** @param {Step} step @param {boolean} isAlone */
  const succeeds = async ({ name, run, report }, isAlone) => {
    const began = performance.now();
    const exitCode = (await run(isAlone ? undefined : name)) ?? 0;
    const own = report && existsSync(report) ? readTests(report) : [];
    const isEmpty = report !== undefined && own.every(({ state }) => state === 'skipped');
    const isOk = exitCode === 0 && !isEmpty;
    // A file that cannot be loaded fails the run, but no test.
    if (exitCode !== 0 && report && !own.some(({ state }) => state === 'failed')) {
      own.push({ name: `${name}: outside of any test`, state: 'failed', milliseconds: 0 });
    }
    tests.push(...own);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    print(`${isOk ? '✓' : '✗'} ${name}: ${seconds} s${isEmpty ? ', and no test ran' : ''}`);
    return isOk;
  };
  let isOk = true;
  for (const group of groups) {
    const isAlone = group.length === 1;
    isOk = (await Promise.all(group.map((step) => succeeds(step, isAlone)))).every(Boolean);
    if (!isOk) break;
  }
  if (tests.length > 0) print(summary(tests));
  return isOk ? 0 : 1;
};

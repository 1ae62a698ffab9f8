import { inspect } from 'node:util';
import { slowest, sum, summary } from './counts.mjs';
import { Failure } from './failure.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {() => Promise<Result>} work
 *
 * @typedef {object} Result
 * @property {number} exitCode
 * @property {import('./counts.mjs').Counts} [counts] of a step that runs tests
 * @property {import('./counts.mjs').Duration[]} [durations] of these tests
 */

/**
 * Does the steps in order up to the first that fails, tells each one's seconds, and ends with
 * the slowest tests and the sum of those that ran.
 * @param {readonly Step[]} steps
 * @param {(line: string) => void} [tell]
 * @returns {Promise<number>} the exit code
 */
export const runSteps = async (steps, tell = console.log) => {
  const counts = [];
  const durations = [];
  let failed = false;
  for (const { name, work } of steps) {
    tell(`\n▸ ${name}`);
    const begun = performance.now();
    const result = await work().catch(told(tell));
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    if (result.counts) counts.push(result.counts);
    if (result.durations) durations.push(...result.durations);
    const isEmpty = result.counts?.passed === 0 && result.exitCode === 0;
    if (isEmpty) tell('No test ran, and a run without tests proves nothing.');
    failed = result.exitCode !== 0 || isEmpty;
    tell(`${failed ? '✗' : '✓'} ${name}: ${seconds} s`);
    if (failed) break;
  }
  if (durations.length > 0) tell(`\nThe slowest tests:\n${slowest(durations).join('\n')}`);
  if (counts.length > 0) tell(`\n${summary(sum(counts))}`);
  return failed ? 1 : 0;
};

/**
 * One step of several that are done at the same time.
 * @param {readonly Step[]} steps one of which may run tests
 * @returns {Step}
 */
export const together = (steps) => ({
  name: steps.map(({ name }) => name).join(', '),
  work: async () => {
    // What fails does not leave the others running.
    const ends = await Promise.allSettled(steps.map(({ work }) => work()));
    /** @type {Result} */
    const result = { exitCode: 0 };
    for (const end of ends) {
      if (end.status === 'rejected') throw end.reason;
      Object.assign(result, { ...end.value, exitCode: result.exitCode || end.value.exitCode });
    }
    return result;
  },
});

/**
 * A step that cannot even be done is told in its own words, a mistake in it with its stack; the
 * summary of the steps before it still comes last.
 * @param {(line: string) => void} tell
 * @returns {(error: unknown) => Result}
 */
const told = (tell) => (error) => {
  tell(error instanceof Failure ? error.message : inspect(error));
  return { exitCode: 1 };
};

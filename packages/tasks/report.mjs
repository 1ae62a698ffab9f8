import { readFileSync } from 'node:fs';

/** @typedef {{ name: string, state: 'passed' | 'failed' | 'skipped', milliseconds: number }} Test */

/**
 * The tests of a JSON report.
 * @param {any} report of Vitest or Playwright
 * @returns {Test[]}
 */
export const testsOf = (report) =>
  'testResults' in report ? report.testResults.flatMap(vitestFile) : playwrightSuites(report);

/** @param {{ name: string, assertionResults: { fullName: string, status: string, duration?: number }[] }} file */
const vitestFile = ({ name, assertionResults }) =>
  assertionResults.map(({ fullName, status, duration = 0 }) => ({
    name: `${name.split('/').at(-1)}: ${fullName}`,
    state: status === 'passed' || status === 'failed' ? status : 'skipped',
    milliseconds: duration,
  }));

/**
 * @typedef {{ title: string, suites?: Suite[], specs?: { title: string, tests: { projectName: string, status: string, results: { duration: number }[] }[] }[] }} Suite
 * @param {{ suites: Suite[] }} report
 * @returns {Test[]}
 */
const playwrightSuites = ({ suites }) =>
  suites.flatMap(({ title: suite, specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ projectName, status, results }) => ({
        name: `${suite}: ${title} (${projectName})`,
        state: playwrightStates[status] ?? 'failed',
        milliseconds: results.reduce((total, { duration }) => total + duration, 0),
      })),
    ),
    ...playwrightSuites({ suites: inner }),
  ]);

/** A flaky test failed once. @type {Record<string, Test['state']>} */
const playwrightStates = { expected: 'passed', skipped: 'skipped' };

/** @param {string} file */
export const readTests = (file) => testsOf(JSON.parse(readFileSync(file, 'utf8')));

/**
 * The ten slowest tests and the sum of all.
 * @param {readonly Test[]} tests
 */
export const summary = (tests) => {
  const slowest = tests.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
  const lines = slowest.map(
    ({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${name}`,
  );
  const count = (/** @type {Test['state']} */ wanted) =>
    tests.filter(({ state }) => state === wanted).length;
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  return [
    'The slowest tests:',
    ...lines,
    '',
    `${count('passed')} passed, ${count('failed')} failed${skipped}`,
  ].join('\n');
};

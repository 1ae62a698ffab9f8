import { readFileSync } from 'node:fs';

/**
 * Flaky: failed, then passed on the second try. `error` is that of a flaky test in Vitest, which
 * does not print it.
 * @typedef {{ name: string, state: 'passed' | 'failed' | 'flaky' | 'skipped', milliseconds: number, error?: string }} Test
 */

/**
 * The tests of a JSON report.
 * @param {any} report of Vitest or Playwright
 * @returns {Test[]}
 */
export const testsOf = (report) =>
  'testResults' in report ? report.testResults.flatMap(vitestFile) : playwrightSuites(report);

/** @param {{ name: string, assertionResults: VitestResult[] }} file */
const vitestFile = ({ name, assertionResults }) =>
  assertionResults.map((result) => {
    const state = vitestState(result);
    const [error] = result.failureMessages ?? [];
    return {
      name: `${name.split('/').at(-1)}: ${result.fullName}`,
      state,
      milliseconds: result.duration ?? 0,
      ...(state === 'flaky' && error !== undefined && { error }),
    };
  });

/**
 * @typedef {{ fullName: string, status: string, duration?: number, failureMessages?: string[] }} VitestResult
 * @param {VitestResult} result
 * @returns {Test['state']}
 */
const vitestState = ({ status, failureMessages = [] }) => {
  if (status === 'failed') return 'failed';
  if (status !== 'passed') return 'skipped';
  return failureMessages.length > 0 ? 'flaky' : 'passed';
};

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

/** @type {Record<string, Test['state']>} */
const playwrightStates = { expected: 'passed', flaky: 'flaky', skipped: 'skipped' };

/** @param {string} file */
export const readTests = (file) => testsOf(JSON.parse(readFileSync(file, 'utf8')));

/**
 * The ten slowest tests, the failed and flaky ones, and the totals.
 * @param {readonly Test[]} tests
 */
export const summary = (tests) => {
  const slowest = tests.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
  const lines = slowest.map(
    ({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${name}`,
  );
  const namesOf = (/** @type {Test['state']} */ wanted) =>
    tests.filter(({ state }) => state === wanted).map(withError);
  const [passed, failed, flaky, skipped] = [
    namesOf('passed'),
    namesOf('failed'),
    namesOf('flaky'),
    namesOf('skipped'),
  ];
  return [
    'The slowest tests:',
    ...lines,
    '',
    ...listed('Failed:', failed),
    ...listed('Flaky, which is a defect (failed, then passed on the second try):', flaky),
    [
      `${passed.length} passed, ${failed.length} failed`,
      ...(flaky.length > 0 ? [`${flaky.length} flaky`] : []),
      ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
    ].join(', '),
  ].join('\n');
};

const maxErrorLines = 20;

/** @param {Test} test */
const withError = ({ name, error = '' }) =>
  [name, ...error.split('\n', maxErrorLines).filter((line) => line.trim() !== '')].join('\n    ');

/** @param {string} heading @param {readonly string[]} names */
const listed = (heading, names) =>
  names.length > 0 ? [heading, ...names.map((name) => `  ${name}`), ''] : [];

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @typedef {{ name: string, milliseconds: number }} Duration of a test */

/**
 * The counts of a Vitest JSON report.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} report
 * @returns {Counts}
 */
export const vitestCounts = (report) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests,
  skipped: report.numPendingTests + report.numTodoTests,
});

/**
 * The counts of a Playwright JSON report. A flaky test failed once, and there are no retries
 * here that would excuse it.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} report
 * @returns {Counts}
 */
export const playwrightCounts = ({ stats }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
});

/**
 * @param {{ testResults: { name: string, assertionResults: { fullName: string, duration?: number }[] }[] }} report of Vitest
 * @returns {Duration[]}
 */
export const vitestDurations = ({ testResults }) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration = 0 }) => ({
      name: `${name.split('/').at(-1)}: ${fullName}`,
      milliseconds: duration,
    })),
  );

/**
 * @typedef {{ title: string, suites?: Suite[], specs?: { title: string, tests: { projectName: string, results: { duration: number }[] }[] }[] }} Suite
 * @param {{ suites: Suite[] }} report of Playwright
 * @returns {Duration[]}
 */
export const playwrightDurations = ({ suites }) =>
  suites.flatMap(({ title: suite, specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ projectName, results }) => ({
        name: `${suite}: ${title} (${projectName})`,
        milliseconds: results.reduce((total, { duration }) => total + duration, 0),
      })),
    ),
    ...playwrightDurations({ suites: inner }),
  ]);

/**
 * The ten slowest tests, a line each.
 * @param {readonly Duration[]} durations
 */
export const slowest = (durations) =>
  [...durations]
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, 10)
    .map(({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${name}`);

/**
 * What a run of a test program amounts to: a run that failed without a failing test (a file that
 * cannot be loaded, an error outside of any test) counts as one failure, so that no summary of
 * a failing run reads "0 failed".
 * @param {Counts} counts
 * @param {number} exitCode
 * @returns {Counts}
 */
export const ofRun = (counts, exitCode) =>
  exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;

/**
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export const sum = (all) => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
});

/**
 * The line that a person and a build machine read last.
 * @param {Counts} counts
 */
export const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

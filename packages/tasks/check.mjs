import './node-version.mjs';
import { formatAndLint, types, unitTests } from './checks.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { runSteps, together } from './pipeline.mjs';

/** `pnpm check`: what needs neither a build nor a browser, for the minutes between two commits. */
await main(async () => {
  await install();
  return runSteps([formatAndLint, together([types, unitTests])]);
});

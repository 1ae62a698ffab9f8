import './node-version.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { runScript } from './script.mjs';

/** Commands that need a build run this first. */
await main(async () => {
  await install();
  return runScript('build');
});

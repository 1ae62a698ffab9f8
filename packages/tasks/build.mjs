import './node-version.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { runScript } from './script.mjs';

/** What commands that need a build run first. */
await main(async () => {
  await install();
  return runScript('build');
});

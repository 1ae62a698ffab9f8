import './node-version.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, main } from './failure.mjs';
import { root, runNode } from './run.mjs';

const program = 'apps/api/dist/cli.js';

/**
 * `pnpm cli`: the commands of the built server. Does not build, because that would delete files
 * that a running server has not loaded yet.
 */
await main(async () => {
  if (!existsSync(join(root, program))) {
    throw new Failure('The server is not built. Run `npm start` or `pnpm build` first.');
  }
  return runNode([program, ...process.argv.slice(2)], { stdio: 'inherit' });
});

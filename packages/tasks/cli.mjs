import './node-version.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, main } from './failure.mjs';
import { root, runNode } from './run.mjs';

const program = 'apps/api/dist/cli.js';

/**
 * `pnpm cli`: the commands of the built server. It builds nothing: a server that runs meanwhile
 * would lose the files that it still has to load.
 */
await main(async () => {
  if (!existsSync(join(root, program))) {
    throw new Failure('The server is not built: run `npm start` once, or `pnpm build`, and again.');
  }
  return runNode([program, ...process.argv.slice(2)], { stdio: 'inherit' });
});

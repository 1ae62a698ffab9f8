import './node-version.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, main } from './failure.mjs';
import { runNode } from './programs.mjs';
import { root } from './workspace.mjs';

const program = 'apps/api/dist/cli.js';

/**
 * `pnpm cli`: the commands of the server that was built. It builds nothing itself: a server that
 * runs meanwhile would lose the files that it still has to load.
 */
await main(async () => {
  if (!existsSync(join(root, program))) {
    throw new Failure('The server is not built: run `npm start` once, or `pnpm build`, and again.');
  }
  return runNode([program, ...process.argv.slice(2)], { stdio: 'inherit' });
});

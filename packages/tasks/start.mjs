import './node-version.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { runNode } from './programs.mjs';
import { buildServer, serverArguments } from './server.mjs';
import { buildSite } from './site.mjs';

/**
 * `npm start`: from a fresh clone to the site and its API on one port, in one process. What stands
 * behind `npm start --` goes to the server.
 */
await main(async () => {
  await install();
  await buildSite();
  await buildServer();
  return runNode([...serverArguments, ...process.argv.slice(2)], { stdio: 'inherit' });
});

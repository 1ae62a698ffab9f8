import './node-version.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { runNode } from './programs.mjs';
import { buildServer, serverArguments } from './server.mjs';
import { buildSite } from './site.mjs';

/** `npm start`: from a fresh clone to the site and its API on one port, in one process. */
await main(async () => {
  await install();
  await buildSite();
  await buildServer();
  return runNode(serverArguments, { stdio: 'inherit' });
});

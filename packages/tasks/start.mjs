import './node-version.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { runNode } from './run.mjs';
import { runScript } from './script.mjs';
import { serverArguments } from './server.mjs';

/** `npm start`: from a fresh clone to a running server, which gets the arguments after `--`. */
await main(async () => {
  await install();
  const failed = await runScript('build');
  return failed || runNode([...serverArguments, ...process.argv.slice(2)], { stdio: 'inherit' });
});

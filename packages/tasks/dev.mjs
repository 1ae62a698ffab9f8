import './node-version.mjs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Failure, main } from './failure.mjs';
import { install } from './install.mjs';
import { onStop, root, runNode } from './run.mjs';
import { runScript } from './script.mjs';

/** Watched, because tsx itself only watches what was imported: nothing if the first start fails. */
const sources = ['apps/api/src', 'packages/contract/src', 'packages/db/src', 'packages/site/src'];

/**
 * `pnpm dev`: the site with hot reload, and on the next port the API, which restarts on each
 * change. If one of them ends, the other one is stopped.
 */
await main(async () => {
  const port = Number(process.env['PORT'] || 4321);
  if (!(port > 0 && port < 65_535)) throw new Failure('PORT must be a number from 1 to 65534.');
  for (const own of [port, port + 1]) {
    if (await isInUse(own)) {
      throw new Failure(
        `Port ${own} is in use: stop the other program, or set PORT to the first of two free ports.`,
      );
    }
  }
  const site = `http://localhost:${port}`;
  await install();
  // The API publishes the built pages, but the browser shows those of Astro's dev server.
  const failed = await runScript('build', 'apps/web');
  if (failed) return failed;
  const api = runNode(
    [
      ...[
        'node_modules/tsx/dist/cli.mjs',
        'watch',
        '--clear-screen=false',
        '--exclude=**/*.test.*',
      ],
      ...sources.map((folder) => `--include=${folder}`),
      'apps/api/src/main.ts',
    ],
    {
      env: {
        PORT: String(port + 1),
        PUBLIC_URL: site,
        DEV_PAGES: 'on',
        TSX_TSCONFIG_PATH: 'apps/api/tsconfig.json',
      },
    },
  );
  const web = runNode(
    ['node_modules/astro/bin/astro.mjs', 'dev', '--force', '--port', String(port)],
    {
      cwd: join(root, 'apps/web'),
      env: { API_URL: `http://localhost:${port + 1}`, ASTRO_TELEMETRY_DISABLED: '1' },
    },
  );
  console.log(`Email previews: ${site}/api/dev/emails`);

  const stopped = new Promise((resolve) => {
    onStop(() => resolve(0));
  });
  const ended = (/** @type {number} */ code) => {
    console.error(`The site or the API ended with exit code ${code}: stopping both.`);
    return 1;
  };
  const exitCode = await Promise.race([stopped, api.then(ended), web.then(ended)]);
  // Stops the other one as a signal would.
  if (exitCode !== 0) process.emit('SIGTERM', 'SIGTERM');
  await Promise.all([api, web]);
  return exitCode;
});

/**
 * Checked before anything starts, because in watch mode a server that cannot listen waits for a
 * change of its files.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isInUse(port) {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

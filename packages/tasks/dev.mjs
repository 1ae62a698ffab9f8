import './node-version.mjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { main } from './failure.mjs';
import { developmentPorts, requireFree } from './free-ports.mjs';
import { install } from './install.mjs';
import { installedNode, nodeFirst, programFile } from './programs.mjs';
import { buildSite } from './site.mjs';
import { onStop } from './stop.mjs';
import { root } from './workspace.mjs';

/** How long a program may take to stop before it is made to, in milliseconds. */
const patience = 5_000;

/**
 * @param {string} name shown before each of its lines
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env: Record<string, string> }} where
 */
const begin = (name, args, { cwd = root, env }) => {
  const child = spawn(installedNode, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A pipe would make both drop their colours.
    env: {
      ...process.env,
      ...nodeFirst(),
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => console.log(`${name} │ ${line}`));
  }
  return child;
};

/**
 * `pnpm dev`: the site with hot reload on the port that people open, and the API, restarted on
 * each change, behind it. They come and go together. A port that is in use ends it before anything
 * is started: on another one the links in emails would lead nowhere.
 */
await main(async () => {
  const ports = developmentPorts(process.env['PORT']);
  await requireFree(ports.site, 'the site');
  await requireFree(ports.api, 'the API');
  await install();
  // The API publishes with the built pages, even while people look at Astro's.
  await buildSite();
  const api = begin(
    'api',
    ['--import', 'tsx', '--watch', '--watch-preserve-output', 'apps/api/src/main.ts'],
    {
      env: {
        PORT: String(ports.api),
        PUBLIC_URL: `http://localhost:${ports.site}`,
        DEV_PAGES: 'on',
        TSX_TSCONFIG_PATH: 'apps/api/tsconfig.json',
      },
    },
  );
  const astro = programFile('apps/web', 'astro');
  const web = begin('web', [astro, 'dev', '--force', '--port', String(ports.site)], {
    cwd: join(root, 'apps/web'),
    env: { API_URL: `http://localhost:${ports.api}`, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  const both = [api, web];
  console.log(`every mail, sent or not: http://localhost:${ports.site}/api/dev/mails`);

  let exitCode = 0;
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    for (const child of both) child.kill('SIGTERM');
    // Not waited for: it only matters while one of them is still there.
    setTimeout(() => {
      for (const child of both) child.kill('SIGKILL');
    }, patience).unref();
  };
  onStop(stop);
  for (const child of both) {
    child.on('exit', (code, signal) => {
      if (isStopping) return;
      const end = signal ?? `exit code ${code}`;
      console.error(`${child === api ? 'api' : 'web'} ended with ${end}: stopping.`);
      exitCode = 1;
      stop();
    });
  }
  await Promise.all(both.map((child) => new Promise((resolve) => child.on('close', resolve))));
  return exitCode;
});

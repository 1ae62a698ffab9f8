import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@app/db/testing/free-port';
import { expect, test } from 'vitest';
import { Caddy, whyNoCaddy } from '../support/caddy.ts';
import { isFullRun } from '../support/full-run.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../support/observatory.ts', import.meta.url));

/** Not a dependency: it has 190 packages, some for a database, and downloads a list at install. */
const observatory = '@mdn/mdn-http-observatory@1.4.8';

test.runIf(isFullRun && !whyNoCaddy)(
  'the HTTP Observatory gives 100 points or more, and finds nothing unsafe',
  async ({ skip }) => {
    using folder = temporaryFolder();
    const tool = join(folder.path, 'observatory');
    mkdirSync(tool);
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', tool];
    try {
      await run('npm', ['install', ...options, observatory]);
    } catch (error) {
      return skip(`${observatory} cannot be installed: ${(error as Error).message}`);
    }
    const source = join(tool, 'node_modules/@mdn/mdn-http-observatory');
    // The install script, which did not run, downloads a list of hosts that browsers open with https.
    writeFileSync(join(source, 'conf/hsts-preload.json'), '{}');

    const port = await freePort();
    await using caddy = await Caddy.start(join(folder.path, 'caddy'), `127.0.0.1:${port}`);
    const env = { PUBLIC_URL: caddy.url, TRUST_PROXY: '127.0.0.1' };
    await using site = await SiteProcess.launch({ dataDir: join(folder.path, 'data'), port, env });
    await site.ready;
    const ports = [String(caddy.httpPort), new URL(caddy.url).port];
    const { stdout } = await run(process.execPath, [program, source, 'localhost', ...ports], {
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: join(folder.path, 'caddy/caddy/pki/authorities/local/root.crt'),
      },
    });

    const rows = JSON.parse(stdout) as { name: string; result: string; modifier: number }[];
    const results = Object.fromEntries(rows.map(({ name, result }) => [name, result]));
    expect(rows.filter(({ modifier }) => modifier < 0)).toEqual([]);
    expect(rows.reduce((sum, { modifier }) => sum + modifier, 100)).toBeGreaterThanOrEqual(100);
    expect(results).toMatchObject({
      'content-security-policy': expect.stringContaining('no-unsafe'),
      'cross-origin-resource-policy': 'corp-implemented-with-same-origin',
      'strict-transport-security': expect.stringContaining('at-least-six-months'),
    });
  },
);

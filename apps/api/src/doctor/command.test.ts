import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@app/db/testing/free-port';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { expect, test } from 'vitest';
import { runCli, siteForEachTest } from '../testing/cli.ts';
import { startDeployment } from '../testing/deployment.ts';
import type { Check } from './check.ts';
import { ok } from './check.ts';
import { checks } from './checks.ts';
import { foldersOf } from './folders.ts';
import { createNetwork } from './network.ts';
import { type Checked, runChecks } from './run-checks.ts';

const site = siteForEachTest();

interface Report {
  warnings: number;
  failures: number;
  checks: Checked[];
}

async function reportOf(environment: Record<string, string>, ...options: string[]) {
  const line = ['doctor', '--json', ...options];
  const { exitCode, out, err } = await runCli({ ...site, environment }, ...line);
  expect(err).toBe('');
  const report = JSON.parse(out) as Report;
  expect(exitCode).toBe(report.failures > 0 ? 1 : 0);
  return report;
}

testOnFile(
  'reports only warnings for a server on localhost',
  'the doctor reads it, or the replica in DATA_DIR',
  async () => {
    await using deployment = await startDeployment();
    const { PUBLIC_URL: _, ...local } = deployment.environment;
    const report = await reportOf(local);
    expect(report.checks.filter(({ state }) => state === 'failure')).toEqual([]);
    expect(report.checks).toContainEqual({
      check: 'server',
      state: 'ok',
      finding: expect.stringMatching(/^The server answers on .* \(build build-1, Node v/),
      fix: null,
    });
    const { exitCode, out } = await runCli({ ...site, environment: local }, 'doctor');
    expect(exitCode).toBe(0);
    expect(out).toContain(
      '\nwarning  backup: There is no backup of this site.\n         → Make one',
    );
    expect(out).toMatch(/\n\n0 failures, \d warnings\.\n$/);
  },
);

test('reports every check and creates nothing if there is no server', async () => {
  const folder = join(site.dataDir, 'none');
  const report = await reportOf({ DATA_DIR: folder, PORT: String(await freePort()) });
  expect(report.failures).toBe(3);
  expect([...new Set(report.checks.map(({ check }) => check))]).toEqual(
    checks.map(({ name }) => name),
  );
  expect(existsSync(folder)).toBe(false);
});

testOnFile(
  'lists all invalid settings, and still checks the folder',
  'the doctor reads it, or the replica in DATA_DIR',
  async () => {
    const secret = 're_very_secret';
    const report = await reportOf({
      ...{ DATA_DIR: site.dataDir, PORT: 'abc', AUTHORING: 'nobody', RESEND_API_KEY: secret },
    });
    expect(report.checks.slice(0, 4)).toMatchObject([
      { check: 'settings', state: 'failure', finding: expect.stringMatching(/^PORT must be/) },
      { check: 'settings', state: 'failure', finding: expect.stringMatching(/^AUTHORING must be/) },
      { check: 'settings', state: 'failure', finding: expect.stringMatching(/^MAIL_FROM must be/) },
      { check: 'settings', state: 'skipped', finding: 'The settings are invalid.' },
    ]);
    expect(report.checks).toContainEqual(
      expect.objectContaining({ check: 'database', state: 'ok' }),
    );
    expect(JSON.stringify(report)).not.toContain(secret);
  },
);

test('reports another program on the port as a failure', async () => {
  await using deployment = await startDeployment({ errorPage: '{}' });
  const { PUBLIC_URL: url = '', PORT: _, ...environment } = deployment.environment;
  const report = await reportOf({ ...environment, PORT: new URL(url).port });
  expect(report.checks).toContainEqual(
    expect.objectContaining({ check: 'server', state: 'failure' }),
  );
});

test('rejects an invalid email address', async () => {
  const { exitCode, err } = await site.run('doctor --send-email ann');
  expect({ exitCode, err }).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('"ann" is not an email address.'),
  });
});

test('runs the other checks if one hangs or fails', async () => {
  const hanging: Check = {
    ...{ name: 'hanging', needs: 'folder', seconds: 0.01 },
    run: () => new Promise<never>(() => undefined),
  };
  const failing: Check = {
    ...{ name: 'failing', needs: 'folder' },
    run: () => Promise.reject(new Error('out of order')),
  };
  const fine: Check = { name: 'fine', needs: 'folder', run: async () => [ok('Fine.')] };
  const context = {
    ...foldersOf({ DATA_DIR: site.dataDir }),
    clock: site.clock,
    network: createNetwork(),
  };
  expect(await runChecks([hanging, failing, fine], context, null)).toMatchObject([
    {
      check: 'hanging',
      state: 'failure',
      finding: 'The check did not finish within 0.01 seconds.',
    },
    { check: 'failing', state: 'failure', finding: 'The check failed (out of order).' },
    { check: 'fine', state: 'ok' },
  ]);
});

const operations = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

test.each(checks.map(({ name }) => name))(
  'has the check %s in the table of operations.md',
  (name) => {
    expect(operations).toMatch(new RegExp(`^\\| ${name} +\\|`, 'm'));
  },
);

import { join } from 'node:path';
import { lockFolder } from '@app/db/folder-lock';
import { migrate } from '@app/db/migrate';
import { openPrimary } from '@app/db/replica/open-replica';
import { freePort } from '@app/db/testing/free-port';
import { describeOnServer, startSqld } from '@app/db/testing/sqld';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataDir } from '../testing/blog.ts';
import { runCli } from '../testing/cli.ts';
import { envOf } from '../testing/deployment.ts';
import { MovingClock } from '../testing/test-app.ts';
import { databaseServer } from './checks/database-server.ts';
import { foldersOf } from './folders.ts';
import { createNetwork } from './network.ts';
import { runChecks } from './run-checks.ts';

async function check(environment: Record<string, string>): Promise<string[]> {
  const settings = { DATA_DIR: '/nowhere', ...environment };
  const context = { ...foldersOf(settings), clock: new MovingClock(), network: createNetwork() };
  // Long, because a busy machine can stall.
  const found = await runChecks([{ ...databaseServer, seconds: 90 }], context, envOf(settings));
  return found.map(({ state, finding }) => `${state}: ${finding}`);
}

test('is skipped without DATABASE_URL', async () => {
  expect(await check({})).toEqual([
    'skipped: DATABASE_URL is not set: the database is in DATA_DIR.',
  ]);
});

test('reports that the database server does not respond, in the doctor and in commands', async () => {
  const url = `http://localhost:${await freePort()}`;
  const reason = expect.stringContaining(
    `The database server ${new URL(url).host} does not answer`,
  );
  expect(await check({ DATABASE_URL: url })).toEqual([
    expect.stringMatching(/^failure: The database server \S+ does not answer/),
  ]);
  const site = { dataDir: '/nowhere', clock: new MovingClock() };
  const environment = { DATA_DIR: '/nowhere', DATABASE_URL: url };
  const { exitCode, err } = await runCli({ ...site, environment }, 'staff', 'list', '--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(err)).toEqual({ error: { code: 'database_unavailable', message: reason } });
});

test('refuses a backup while another one uses the same folder', async () => {
  const dataDir = makeDataDir();
  const release = lockFolder(dataDir, 'backup-replica.db.lock');
  onTestFinished(() => release?.());
  const environment = { DATA_DIR: dataDir, DATABASE_URL: 'http://localhost:1' };
  const site = { dataDir, clock: new MovingClock(), environment };
  const { exitCode, err } = await runCli(site, 'backup', join(dataDir, 'a.tar.gz'), '--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(err)).toMatchObject({
    error: {
      code: 'conflict',
      message: expect.stringContaining('Another process uses the replica'),
    },
  });
});

describeOnServer('a database server', () => {
  test('is checked for migrations, speed and flushed commits', async () => {
    const server = await startSqld();
    onTestFinished(server.stop);
    const findings = async () => {
      const [finding, ...others] = await check({ DATABASE_URL: server.url });
      expect(others).toEqual([expect.stringContaining('stored on the server that received them')]);
      return finding;
    };
    expect(await findings()).toMatch(
      /^warning: The shared database lacks \d+ migrations of this version\.$/,
    );
    const environment = { DATA_DIR: '/nowhere', DATABASE_URL: server.url };
    const site = { dataDir: '/nowhere', clock: new MovingClock(), environment };
    const refused = await runCli(site, 'staff', 'list');
    expect([refused.exitCode, refused.err]).toEqual([
      1,
      "There is no database of this site at DATABASE_URL: use the servers' DATABASE_URL, or start the server once.\n",
    ]);
    const { db, close } = await openPrimary(server);
    migrate(db);
    await close();
    expect(await findings()).toMatch(/(?:answers in|takes) \d+\.\d ms/);

    await server.configure({ durability_mode: 'relaxed' });
    expect((await check({ DATABASE_URL: server.url })).join()).toContain(
      'acknowledges commits before they are on its disk',
    );
  });
});

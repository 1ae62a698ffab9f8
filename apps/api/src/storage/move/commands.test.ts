import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@app/db/migrate';
import { beginMove, endMove, moveOf } from '@app/db/move/move-state';
import { close, type Database, open } from '@app/db/open';
import { openPrimary } from '@app/db/replica/open-replica';
import { users } from '@app/db/schema/accounts';
import { freePort } from '@app/db/testing/free-port';
import { isFullRun } from '@app/db/testing/full-run';
import { describeOnServer, type Sqld } from '@app/db/testing/sqld';
import { startTestSqld } from '@app/db/testing/test-replica';
import { expect, onTestFinished, test } from 'vitest';
import { serverSecrets } from '../../create-deps.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { cliJson, runCli } from '../../testing/cli.ts';
import { MovingClock } from '../../testing/test-app.ts';

/** A site whose database is open, as by a running server. */
function openSite(): { dataDir: string; db: Database } {
  const dataDir = makeDataDir();
  const db = open(join(dataDir, 'site.db'));
  onTestFinished(() => close(db));
  migrate(db);
  serverSecrets(db);
  addUser(db, 'ann');
  return { dataDir, db };
}

const addUser = (db: Database, id: string): void =>
  void db
    .insert(users)
    .values({ id, email: `${id}@example.com`, createdAt: 1 })
    .run();

const idsIn = (db: Database): string[] =>
  db
    .select({ id: users.id })
    .from(users)
    .orderBy(users.id)
    .all()
    .map(({ id }) => id);

const siteOf = (dataDir: string, more: Record<string, string> = {}) => ({
  dataDir,
  clock: new MovingClock(),
  environment: { DATA_DIR: dataDir, ...more },
});

const move = (dataDir: string, to: string, more: Record<string, string> = {}) =>
  cliJson(siteOf(dataDir, more), 'database', 'move', '--to', to);

async function refusal(dataDir: string, args: string[], more: Record<string, string> = {}) {
  const { exitCode, err } = await runCli(siteOf(dataDir, more), 'database', ...args, '--json');
  expect(exitCode).toBeGreaterThan(0);
  return (JSON.parse(err) as { error: { code: string; message: string } }).error;
}

async function onServer<T>({ url }: Sqld, work: (db: Database) => T): Promise<T> {
  const { db, close: end } = await openPrimary({ url });
  try {
    return work(db);
  } finally {
    await end();
  }
}

test.each([
  [['move'], 'usage', 'Specify --to.'],
  [['move', '--to', 's3://bucket'], 'usage', 'use the URL of a libSQL server'],
  [['move', '--to', 'http://user:secret@localhost'], 'usage', 'without a user'],
  [['move', '--to', 'folder'], 'conflict', 'The database is already in folder.'],
  [['reopen'], 'conflict', 'The database was not moved.'],
])('refuses the arguments %j', async (args, code, message) => {
  const { dataDir } = openSite();
  expect(await refusal(dataDir, args)).toEqual({ code, message: expect.stringContaining(message) });
});

test('changes nothing if the server does not respond', async () => {
  const { dataDir, db } = openSite();
  const url = `http://localhost:${await freePort()}`;
  const { code, message } = await refusal(dataDir, ['move', '--to', url]);
  expect(code).toBe('database_unavailable');
  expect(message).toMatch(/does not answer .+\nRun the same command again to continue\.$/);
  addUser(db, 'bob');
});

describeOnServer('to a libSQL server', () => {
  test('moves the database and back while it is open', async () => {
    const { dataDir, db } = openSite();
    const server = await startTestSqld();
    const { url } = server;
    const moved = await move(dataDir, url);
    expect(moved).toMatchObject({ from: 'folder', to: url, previous: null });
    expect(moved).toHaveProperty('readOnlyMilliseconds', expect.any(Number));
    expect(() => addUser(db, 'bob')).toThrow('the database is being moved, or was moved');
    expect((await refusal(dataDir, ['move', '--to', url])).message).toContain(
      `The database was moved to ${url}: use its settings`,
    );

    await onServer(server, (shared) => addUser(shared, 'bob'));
    close(db);
    const back = await move(dataDir, 'folder', { DATABASE_URL: url });
    expect(back).toMatchObject({ from: url, to: 'folder', previous: expect.any(String) });
    expect(readdirSync(dataDir).filter((name) => /^(?:site|moving-site)\.db/.test(name))).toEqual([
      'site.db',
    ]);
    const again = open(join(dataDir, 'site.db'));
    onTestFinished(() => close(again));
    expect(idsIn(again)).toEqual(['ann', 'bob']);
    addUser(again, 'cat');
    await onServer(server, (shared) => expect(() => addUser(shared, 'cat')).toThrow('was moved'));

    const reopened = await cliJson(siteOf(dataDir, { DATABASE_URL: url }), 'database', 'reopen');
    expect(reopened).toEqual({ wasMoved: true, other: `DATA_DIR ${dataDir}` });
    await onServer(server, (shared) => addUser(shared, 'cat'));
  });

  test('leaves a writable site when interrupted, and continues when run again', async () => {
    const { dataDir, db } = openSite();
    const server = await startTestSqld();
    const { url } = server;
    let killed: Promise<void> | undefined;
    const site = {
      ...siteOf(dataDir),
      onError(text: string) {
        if (text.startsWith('Writes are refused')) killed = server.kill();
      },
    };
    const failed = await runCli(site, 'database', 'move', '--to', url);
    expect(failed.exitCode).toBe(1);
    expect(failed.err).toContain('Run the same command again to continue.');
    addUser(db, 'bob');

    await killed;
    await server.start();
    expect((await refusal(dataDir, ['reopen'], { DATABASE_URL: url })).message).toContain(
      'is an incomplete copy',
    );
    await move(dataDir, url);
    expect(await onServer(server, idsIn)).toEqual(['ann', 'bob']);
  });

  test('completes a move that was killed after the old database was marked as moved', async () => {
    const { dataDir, db } = openSite();
    const server = await startTestSqld();
    const { url } = server;
    await move(dataDir, url);
    const id = moveOf(db.$client)?.id ?? '';
    await onServer(server, ({ $client: client }) =>
      client
        .prepare("INSERT INTO database_moves (id, state, other) VALUES (?, 'incomplete', '')")
        .run(id),
    );
    expect(await move(dataDir, url)).toMatchObject({ readOnlyMilliseconds: null });
    expect(await onServer(server, ({ $client: client }) => moveOf(client))).toBeNull();

    const reopened = await cliJson(siteOf(dataDir), 'database', 'reopen');
    expect(reopened).toEqual({ wasMoved: true, other: url });
    addUser(db, 'bob');
  });

  test('completes a move to the folder that was killed before its last rename', async () => {
    const { dataDir, db } = openSite();
    const { url } = await startTestSqld();
    await move(dataDir, url);
    close(db);
    await move(dataDir, 'folder', { DATABASE_URL: url });
    renameSync(join(dataDir, 'site.db'), join(dataDir, 'moving-site.db'));
    expect(await move(dataDir, 'folder', { DATABASE_URL: url })).toMatchObject({
      readOnlyMilliseconds: null,
    });
    const again = open(join(dataDir, 'site.db'));
    onTestFinished(() => close(again));
    expect(idsIn(again)).toEqual(['ann']);
  });

  test.runIf(isFullRun)('does not overwrite a database that is in use', async () => {
    const { dataDir, db } = openSite();
    const server = await startTestSqld();
    const { url } = server;
    const settings = { DATABASE_URL: url };
    await onServer(server, (shared) => {
      migrate(shared);
      addUser(shared, 'zoe');
    });
    expect(await refusal(dataDir, ['move', '--to', url])).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is not empty'),
    });
    expect(await refusal(dataDir, ['move', '--to', 'folder'], settings)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('has a database (site.db)'),
    });
    expect(await refusal(dataDir, ['move', '--to', 'http://other'], settings)).toMatchObject({
      message: expect.stringContaining('The database is on a server'),
    });
    addUser(db, 'bob');
    expect(await onServer(server, idsIn)).toEqual(['zoe']);
  });

  test.runIf(isFullRun)('refuses while another command moves the database', async () => {
    const { dataDir, db } = openSite();
    const { url } = await startTestSqld();
    await beginMove(db, { id: 'another', other: 'elsewhere', milliseconds: 60_000 });
    expect(await refusal(dataDir, ['move', '--to', url])).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is being moved by another command'),
    });
    expect(moveOf(db.$client)).toMatchObject({ id: 'another' });
    await endMove(db, 'another');
  });
});

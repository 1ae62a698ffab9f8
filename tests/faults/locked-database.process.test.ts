import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { earlierMigrations, migrationTags } from '@app/db/testing/other-versions';
import { expect, test } from 'vitest';
import { SiteProcess, stoppedSite, temporaryFolder } from '../support/site-process.ts';

const lockHolder = join(import.meta.dirname, '../support/lock-holder.ts');

/** Makes another process hold SQLite's write lock until it is released. */
async function holdLock(dataDir: string) {
  const child = fork(lockHolder, [join(dataDir, 'site.db')], { stdio: 'inherit' });
  await once(child, 'message');
  const release = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.disconnect();
    await once(child, 'exit');
  };
  return { release, [Symbol.asyncDispose]: release };
}

const sendMessage = (site: SiteProcess, message: string) =>
  fetch(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { Origin: site.url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Vera', email: 'vera@example.com', message }),
  });

async function expectPages(site: SiteProcess): Promise<void> {
  for (const path of ['/', '/blog', '/api/posts', '/api/auth/session', '/api/health']) {
    const response = await fetch(site.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    await response.arrayBuffer();
  }
}

function storedMessages(dataDir: string): unknown[] {
  const { $client: client } = open(join(dataDir, 'site.db'));
  const rows = client.prepare('SELECT message FROM contact_submissions').pluck().all();
  client.close();
  return rows;
}

test('pages are served and writes wait while another process holds the write lock', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  await using lock = await holdLock(folder.path);
  let isAnswered = false;
  const waiting = sendMessage(site, 'waits').finally(() => {
    isAnswered = true;
  });
  await expectPages(site);
  expect(isAnswered).toBe(false);

  await lock.release();
  expect((await waiting).status).toBe(201);
  expect(storedMessages(folder.path)).toEqual(['waits']);
});

test('a write that waits too long is answered with 503, and nothing is stored', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  await using lock = await holdLock(folder.path);
  const waiting = sendMessage(site, 'too long');
  let rounds = 0;
  let isAnswered = false;
  void waiting.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await expectPages(site);
    rounds += 1;
  }

  const refused = await waiting;
  expect([refused.status, refused.headers.get('Content-Type')]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
  ]);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'busy' });
  // With a busy timeout in SQLite, the first round would wait as long as the write.
  expect(rounds).toBeGreaterThanOrEqual(2);

  await lock.release();
  expect((await sendMessage(site, 'afterwards')).status).toBe(201);
  expect(storedMessages(folder.path)).toEqual(['afterwards']);
});

/** Replaces the database with one that lacks the latest migration. */
function makeOlderDatabase(dataDir: string): void {
  for (const ending of ['', '-wal', '-shm'])
    rmSync(join(dataDir, `site.db${ending}`), { force: true });
  const older = earlierMigrations(join(dataDir, 'older-migrations'), migrationTags.at(-2) ?? '');
  const db = open(join(dataDir, 'site.db'));
  migrate(db, older);
  close(db);
  rmSync(older, { recursive: true });
}

test('a server waits for a locked database that needs a migration: it is live, and pages wait', async () => {
  using folder = temporaryFolder();
  const port = await stoppedSite(folder.path);
  makeOlderDatabase(folder.path);

  await using lock = await holdLock(folder.path);
  await using site = await SiteProcess.launch({ dataDir: folder.path, port });
  const { problem } = await site.logged('degraded');
  expect(problem).toMatch(/^Another process holds the database/);
  const live = await fetch(`${site.url}/api/health/live`);
  const ready = await fetch(`${site.url}/api/health/ready`);
  const page = fetch(site.url);
  expect([live.status, await live.json()]).toEqual([200, { status: 'live' }]);
  expect([ready.status, ready.headers.get('Content-Type')]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
  ]);
  expect(await ready.json()).toMatchObject({ code: 'busy', detail: 'The server is starting.' });

  await lock.release();
  await site.ready;
  expect((await page).status).toBe(200);
  expect((await fetch(`${site.url}/api/health/ready`)).status).toBe(200);
  expect((await sendMessage(site, 'after the start')).status).toBe(201);
  expect(await site.stop()).toEqual({ code: 0, signal: null, stderr: '' });
  expect(storedMessages(folder.path)).toEqual(['after the start']);
});

test('a server with a locked database that needs no migration serves immediately', async () => {
  using folder = temporaryFolder();
  const port = await stoppedSite(folder.path);
  await using lock = await holdLock(folder.path);
  await using site = await SiteProcess.start({ dataDir: folder.path, port });
  await expectPages(site);
  await lock.release();
  expect((await sendMessage(site, 'after all')).status).toBe(201);
  expect(storedMessages(folder.path)).toEqual(['after all']);
});

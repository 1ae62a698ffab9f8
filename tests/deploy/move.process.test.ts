import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '@app/db/open';
import { openPrimary } from '@app/db/replica/open-replica';
import { outbox } from '@app/db/schema/email';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { describeOnServer, type Sqld, startSqld } from '@app/db/testing/sqld';
import { expect, onTestFinished, test } from 'vitest';
import { cli, program } from '../support/cli.ts';
import { openDatabase } from '../support/database.ts';
import { isFullRun } from '../support/full-run.ts';
import { killAtRename } from '../support/kill-at-rename.ts';
import { readEmails } from '../support/mailbox.ts';
import { png } from '../support/pictures.ts';
import { untilSent } from '../support/queues.ts';
import { SiteProcess, stoppedSite, temporaryFolder } from '../support/site-process.ts';
import { mountDisk, needsMount } from '../support/small-disk.ts';
import { statusOf } from '../support/status-of.ts';
import { Writer } from '../support/writer.ts';

/** In milliseconds. */
const retryInterval = 100;

/** Sends a message like the site's form, which uses the same key for every retry. */
function submit(site: SiteProcess, name: string): Promise<Response> {
  return fetch(`${site.url}/api/contact`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: site.origin,
      'Idempotency-Key': keyOf(name),
    },
    body: JSON.stringify({ name, email: 'vera@example.com', message: `${name} has a leak.` }),
  });
}

const keyOf = (name: string): string =>
  `00000000-0000-4000-8000-${name.replace(/\D/g, '').padStart(12, '0')}`;

/** Two visitors send messages nonstop, and retry refused ones until they are stopped. */
function startVisitors(site: SiteProcess, first: number) {
  const stored: string[] = [];
  const refused = new Set<string>();
  let isEnded = false;
  let next = first;

  async function write(name: string): Promise<void> {
    while (!isEnded) {
      const reply = await submit(site, name);
      const { detail } = (await reply.json()) as { detail?: string };
      if (reply.status === 201) {
        refused.delete(name);
        stored.push(name);
        return;
      }
      refused.add(name);
      expect([reply.status, detail]).toEqual([503, expect.stringContaining('try again')]);
      expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
      await setTimeout(retryInterval);
    }
  }

  async function visit(): Promise<void> {
    while (!isEnded) {
      const name = `Visitor ${next}`;
      next += 1;
      await write(name);
    }
  }

  const writing = Promise.all([visit(), visit()]);
  return {
    stored,
    refused,
    async stop(): Promise<void> {
      isEnded = true;
      await writing;
    },
  };
}

const names = (db: Database): string[] =>
  db
    .select({ name: contactSubmissions.name })
    .from(contactSubmissions)
    .all()
    .map(({ name }) => name);

async function sharedNames({ url }: Sqld): Promise<string[]> {
  const { db, close } = await openPrimary({ url });
  const found = names(db);
  await close();
  return found;
}

function ownNames(dataDir: string): string[] {
  using db = openDatabase(dataDir);
  return names(db);
}

const postOf = (slug: string) => ({ title: slug, slug, content: 'A text.', published: true });

async function startServer(): Promise<Sqld> {
  const database = await startSqld();
  onTestFinished(database.stop);
  return database;
}

const start = (dataDir: string, port: number, env: Record<string, string> = {}) =>
  SiteProcess.start({ dataDir, port, env });

describeOnServer('database move', () => {
  test('moves a site to a server and back during writes, and loses nothing', async () => {
    using folder = temporaryFolder();
    const dataDir = folder.path;
    const database = await startServer();
    const shared = { DATABASE_URL: database.url };
    await using own = await SiteProcess.start({ dataDir });
    const { port } = own;
    const ann = Writer.add(own, 'ann', 'staff');
    expect((await ann.call('POST', '/api/posts', postOf('first'))).status).toBe(201);
    expect((await ann.upload(new Uint8Array(await png(400, 400)))).status).toBe(200);

    const before = startVisitors(own, 1_000);
    await expect.poll(() => before.stored.length).toBeGreaterThan(3);
    const moved = await cli(dataDir, ['database', 'move', '--to', database.url, '--json']);
    expect(moved).toMatchObject({ code: 0, err: '' });
    await expect.poll(() => before.refused.size).toBeGreaterThan(0);
    await before.stop();
    expect((await sharedNames(database)).sort()).toEqual(before.stored.toSorted());

    // Until the restart, pages are served, and writes to the old database are refused.
    expect(await statusOf(fetch(`${own.url}/blog/first`))).toBe(200);
    expect((await ann.call('POST', '/api/posts', postOf('second'))).status).toBe(503);
    const health = await (await fetch(`${own.url}/api/health`)).json();
    expect(health).toMatchObject({ problems: [expect.stringContaining('was moved')] });
    expect(await own.stop()).toMatchObject({ code: 0 });

    await using site = await start(dataDir, port, shared);
    expect(site.log.filter(({ msg }) => msg.startsWith('republished'))).toEqual([]);
    for (const name of before.refused) expect((await submit(site, name)).status).toBe(201);
    const writer = Writer.signedIn(site, ann.cookie.replace('session=', ''));
    expect((await writer.call('POST', '/api/posts', postOf('second'))).status).toBe(201);

    const after = startVisitors(site, 2_000);
    await expect.poll(() => after.stored.length).toBeGreaterThan(3);
    const back = await cli(dataDir, ['database', 'move', '--to', 'folder', '--json'], {
      env: shared,
    });
    expect(back).toMatchObject({ code: 0, err: '' });
    await expect.poll(() => after.refused.size).toBeGreaterThan(0);
    await after.stop();
    expect(await site.stop()).toMatchObject({ code: 0 });

    await using again = await start(dataDir, port);
    for (const name of after.refused) expect((await submit(again, name)).status).toBe(201);
    for (const slug of ['first', 'second']) {
      expect(await statusOf(fetch(`${again.url}/blog/${slug}`))).toBe(200);
    }
    const all = [before, after].flatMap(({ stored, refused }) => [...stored, ...refused]);
    expect(ownNames(dataDir).sort()).toEqual(all.toSorted());
    await untilSent(again);
    const notices = (await readEmails(dataDir))
      .map(({ subject }) => /^Message from (Visitor \d+)$/.exec(subject ?? '')?.[1] ?? '')
      .filter(Boolean);
    expect(notices.sort()).toEqual(all.toSorted());
  });

  test.runIf(isFullRun)('a killed move leaves a working site', async () => {
    using folder = temporaryFolder();
    const dataDir = folder.path;
    const database = await startServer();
    await using site = await SiteProcess.start({ dataDir });
    const visitors = startVisitors(site, 1_000);
    // The move waits for this email, so it cannot finish before it is killed.
    addEmailInProgress(dataDir);
    for (const [line, signal] of [
      ['Copying', 'SIGKILL'],
      ['Writes are refused', 'SIGTERM'],
      ['Writes are refused', 'SIGKILL'],
    ] as const) {
      await endWhen(line, signal, dataDir, database.url);
      const { length } = visitors.stored;
      await expect.poll(() => visitors.stored.length, { timeout: 90_000 }).toBeGreaterThan(length);
    }
    expect(await cli(dataDir, ['database', 'move', '--to', database.url])).toMatchObject({
      code: 0,
    });
    await visitors.stop();
    expect((await sharedNames(database)).sort()).toEqual(visitors.stored.toSorted());
  });

  test.runIf(isFullRun)(
    'the next move to a folder completes one that was killed at any rename',
    async () => {
      using folder = temporaryFolder();
      const dataDir = folder.path;
      const database = await startServer();
      const env = { DATABASE_URL: database.url };
      {
        await using site = await SiteProcess.start({ dataDir });
        expect((await submit(site, 'Visitor 1')).status).toBe(201);
      }
      expect(await cli(dataDir, ['database', 'move', '--to', database.url])).toMatchObject({
        code: 0,
      });
      for (let n = 0; ; n += 1) {
        using copy = temporaryFolder();
        cpSync(dataDir, copy.path, { recursive: true });
        const run = (node: string[] = []) =>
          cli(copy.path, ['database', 'move', '--to', 'folder'], { node, env });
        const { code, signal } = await run(killAtRename(n));
        if (signal === 'SIGKILL') expect(await run()).toMatchObject({ code: 0 });
        else expect(code).toBe(0);
        expect([n, ownNames(copy.path)]).toEqual([n, ['Visitor 1']]);
        if (signal === null) {
          expect(n).toBeGreaterThan(1);
          await using site = await SiteProcess.start({ dataDir: copy.path });
          expect((await submit(site, 'Visitor 2')).status).toBe(201);
          return;
        }
        expect(await cli(copy.path, ['database', 'reopen'], { env })).toMatchObject({ code: 0 });
      }
    },
  );

  test.runIf(isFullRun)(
    'a full disk stops a move, and the next one continues it',
    async ({ skip }) => {
      using folder = temporaryFolder();
      using disk = mountDisk(join(folder.path, 'disk'));
      if (!disk) return skip(needsMount);
      const { dataDir } = disk;
      const database = await startServer();
      const port = await stoppedSite(dataDir);
      const run = () => cli(dataDir, ['database', 'move', '--to', database.url, '--json']);

      disk.fill(200_000);
      const { code, err } = await run();
      expect([code, (JSON.parse(err) as { error: { message: string } }).error.message]).toEqual([
        1,
        expect.stringContaining('Run the same command again'),
      ]);
      disk.empty();
      await using site = await start(dataDir, port);
      expect((await submit(site, 'Visitor 1')).status).toBe(201);
      expect(await run()).toMatchObject({ code: 0 });
      expect(await sharedNames(database)).toEqual(['Visitor 1']);
    },
  );

  test.runIf(isFullRun)('a server starts only on the database that is in use', async () => {
    using folder = temporaryFolder();
    const dataDir = folder.path;
    const port = await stoppedSite(dataDir);
    const [database, another] = [await startServer(), await startServer()];
    const shared = { DATABASE_URL: database.url };
    const refusal = async (env: Record<string, string>) => {
      await using site = await SiteProcess.launch({ dataDir, env });
      const { code, stderr } = await site.ended;
      expect(code).toBe(1);
      return stderr;
    };
    const run = (to: string, env = {}) => cli(dataDir, ['database', 'move', '--to', to], { env });

    expect(await run(database.url)).toMatchObject({ code: 0 });
    expect(await refusal({})).toContain(`was moved to ${database.url}: set DATABASE_URL`);
    expect(await refusal({ DATABASE_URL: another.url })).toContain('is empty');
    expect((await cli(dataDir, ['doctor'])).out).toContain('The database was moved to');
    const doctor = await cli(dataDir, ['doctor'], { env: shared });
    expect(doctor.out).toMatch(/The database server answers in|A statement on the database server/);

    expect(await run('folder', shared)).toMatchObject({ code: 0 });
    expect(await refusal(shared)).toContain('has a database of its own');
    await using site = await start(dataDir, port);
    expect(await statusOf(fetch(`${site.url}/blog`))).toBe(200);
  });
});

/** Starts a move, and sends the signal when it prints a line with this beginning. */
async function endWhen(
  line: string,
  signal: 'SIGKILL' | 'SIGTERM',
  dataDir: string,
  url: string,
): Promise<void> {
  const move: ChildProcess = spawn(process.execPath, [program, 'database', 'move', '--to', url], {
    env: { DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(move, 'exit');
  if (move.stderr === null) throw new Error('no output');
  createInterface(move.stderr).on('line', (text) => {
    if (text.startsWith(line)) move.kill(signal);
  });
  expect(await ended).toEqual(signal === 'SIGKILL' ? [null, signal] : [1, null]);
}

/** An email as it is while a server sends it. */
function addEmailInProgress(dataDir: string): void {
  using db = openDatabase(dataDir);
  const now = Date.now();
  db.insert(outbox)
    .values({
      ...{ id: 'in-progress', kind: 'contact', to: 'owner@example.com', subject: 'A message' },
      ...{ props: {}, attempts: 1, nextAttemptAt: now + 600_000, createdAt: now },
    })
    .run();
}

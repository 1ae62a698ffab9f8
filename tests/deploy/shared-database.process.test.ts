import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hour } from '@app/contract/durations';
import { openPrimary } from '@app/db/replica/open-replica';
import { blogPosts } from '@app/db/schema/blog';
import { publishLog } from '@app/db/schema/publishing';
import { leases } from '@app/db/schema/server';
import { freePort } from '@app/db/testing/free-port';
import { describeOnServer, type Sqld, startSqld } from '@app/db/testing/sqld';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { isFullRun } from '../support/full-run.ts';
import { readEmails } from '../support/mailbox.ts';
import { untilPublished, untilSent } from '../support/queues.ts';
import { insertSignedInUser } from '../support/signed-in-user.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { statusOf } from '../support/status-of.ts';
import { Writer } from '../support/writer.ts';

/** The URL of a load balancer in front of the servers, to which tests send nothing. */
const publicUrl = 'http://localhost:4321';

const envOf = ({ url }: Sqld) => ({ PUBLIC_URL: publicUrl, DATABASE_URL: url });

/** Unlike `SiteProcess.start`, does not copy a published site, which has its own database. */
async function startServer(database: Sqld, dataDir: string): Promise<SiteProcess> {
  const site = await SiteProcess.launch({
    dataDir,
    port: await freePort(),
    env: envOf(database),
  });
  await site.ready;
  return site;
}

/** Hashes by name, without compressed files: they differ until each server has recompressed them. */
function publishedFiles({ dataDir }: SiteProcess): Record<string, string> {
  const folder = join(dataDir, 'site');
  const names = globSync('**/*', { cwd: folder }).filter(
    (name) => statSync(join(folder, name)).isFile() && !/^cards\/|\.(?:br|gz)$/.test(name),
  );
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(names.sort().map((name) => [name, hashOf(name)]));
}

const read = async (site: SiteProcess, path: string): Promise<[number, string]> => {
  const response = await fetch(site.url + path);
  return [response.status, await response.text()];
};

const message = (name: string) => ({
  name,
  email: 'vera@example.com',
  message: `${name} has a leaking pipe.`,
});

/** Two servers on one database, and a staff member who is signed in to both. */
async function startBoth(folder: string) {
  const database = await startSqld();
  onTestFinished(database.stop);
  const start = (name: string) => startServer(database, join(folder, name));
  const [a, b] = [await start('a'), await start('b')];
  const primary = await openPrimary(database);
  const session = insertSignedInUser(primary.db, 'ann', { role: 'staff' });
  await primary.close();
  const writers = { a: Writer.signedIn(a, session), b: Writer.signedIn(b, session) };
  // A server knows the account once its replica has it.
  for (const writer of [writers.a, writers.b]) {
    await expect.poll(() => statusOf(writer.call('POST', '/api/posts', {}))).toBe(422);
  }
  return { database, start, session, a, b, writers };
}

/** Waits until both servers have published everything. */
async function expectSameFiles(a: SiteProcess, b: SiteProcess): Promise<void> {
  await Promise.all([a, b].map(untilPublished));
  await expect.poll(() => publishedFiles(b)).toEqual(publishedFiles(a));
}

const first = { title: 'First', slug: 'first', content: 'Written at one.', published: true };

describeOnServer('servers on one database', () => {
  test('publish posts saved on any of them, and send each email once', async () => {
    using folder = temporaryFolder();
    const { a, b, writers } = await startBoth(folder.path);
    await using _a = a;
    await using _b = b;

    const created = await writers.a.call('POST', '/api/posts', first);
    expect(created.status).toBe(201);
    const { post } = (await created.json()) as { post: { id: string } };
    expect((await read(a, '/blog/first'))[1]).toContain('Written at one.');
    await expect.poll(async () => (await read(b, '/blog/first'))[1]).toContain('Written at one.');
    const change = { content: 'Changed at the other.' };
    expect(await statusOf(writers.b.call('PATCH', `/api/posts/${post.id}`, change))).toBe(200);
    await expect.poll(async () => (await read(a, '/blog/first'))[1]).toContain('at the other.');
    await expectSameFiles(a, b);

    const names = ['Vera', 'Victor', 'Valerie', 'Viola'];
    for (const [index, name] of names.entries()) {
      const writer = index % 2 === 0 ? writers.a : writers.b;
      expect(await statusOf(writer.call('POST', '/api/contact', message(name)))).toBe(201);
    }
    await Promise.all([a, b].map(untilSent));
    const emails = await Promise.all([a, b].map(({ dataDir }) => readEmails(dataDir)));
    const notices = emails.flat().map(({ subject }) => subject ?? '');
    for (const name of names) {
      expect(notices.filter((subject) => subject === `Message from ${name}`)).toHaveLength(1);
    }
    for (const site of [a, b]) expect(await site.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test('serve readers while the database server is down, and accept writes once it is back', async () => {
    using folder = temporaryFolder();
    const { database, a, b, writers } = await startBoth(folder.path);
    await using _a = a;
    await using _b = b;
    expect(await statusOf(writers.a.call('POST', '/api/posts', first))).toBe(201);
    await expect.poll(async () => (await read(b, '/blog/first'))[0]).toBe(200);

    await database.kill();
    for (const site of [a, b]) {
      expect((await read(site, '/blog/first'))[0]).toBe(200);
      const { cookie } = writers.a;
      const profile = await fetch(`${site.url}/api/profile`, { headers: { Cookie: cookie } });
      expect(await profile.json()).toMatchObject({ fullName: 'Person ann' });
    }
    const refused = await writers.b.call('POST', '/api/contact', message('Vera'));
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      detail: 'Nothing can be saved right now. Please try again in a minute.',
    });
    await expect
      .poll(async () => (await fetch(`${b.url}/api/health`)).json())
      .toMatchObject({
        status: 'degraded',
        problems: ['The database server does not answer: nothing can be saved until it does.'],
      });

    await database.start();
    for (const writer of [writers.a, writers.b]) {
      await expect
        .poll(() => statusOf(writer.call('POST', '/api/contact', message('Vera'))))
        .toBe(201);
    }
    const second = { ...first, title: 'Second', slug: 'second' };
    expect(await statusOf(writers.b.call('POST', '/api/posts', second))).toBe(201);
    await expect.poll(async () => (await read(a, '/blog/second'))[0]).toBe(200);
    await expectSameFiles(a, b);
    for (const site of [a, b]) {
      await expect
        .poll(async () => (await fetch(`${site.url}/api/health`)).json())
        .toMatchObject({ status: 'ok' });
    }
  });

  test.runIf(isFullRun)('a killed server and a new one catch up by themselves', async () => {
    using folder = temporaryFolder();
    const { a, b, start, session, writers } = await startBoth(folder.path);
    await using _a = a;
    await using _b = b;
    expect(await statusOf(writers.b.call('POST', '/api/posts', first))).toBe(201);
    b.signal('SIGKILL');
    await b.ended;
    for (const slug of ['second', 'third']) {
      const post = { ...first, title: slug, slug };
      expect(await statusOf(writers.a.call('POST', '/api/posts', post))).toBe(201);
    }

    await using again = await start('b');
    await using fresh = await start('c');
    for (const site of [again, fresh]) {
      await expect.poll(async () => (await read(site, '/blog/third'))[0]).toBe(200);
      await expectSameFiles(a, site);
    }
    const fourth = { ...first, title: 'Fourth', slug: 'fourth' };
    const writer = Writer.signedIn(fresh, session);
    expect(await statusOf(writer.call('POST', '/api/posts', fourth))).toBe(201);
    await expect.poll(async () => (await read(again, '/blog/fourth'))[0]).toBe(200);
  });

  test.runIf(isFullRun)('use one clock, and report a server whose own clock is wrong', async () => {
    using folder = temporaryFolder();
    const database = await startSqld();
    onTestFinished(database.stop);
    const script = `const now = Date.now; Date.now = () => now() + ${hour};`;
    await using site = await SiteProcess.launch({
      dataDir: join(folder.path, 'ahead'),
      port: await freePort(),
      env: {
        ...envOf(database),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
      },
    });
    await site.ready;
    const primary = await openPrimary(database);
    const session = insertSignedInUser(primary.db, 'ann', { role: 'staff' });
    await primary.close();
    const writer = Writer.signedIn(site, session);
    await expect.poll(() => statusOf(writer.call('POST', '/api/posts', {}))).toBe(422);

    // In the future, but in the past for the server's clock.
    const scheduledAt = new Date(Date.now() + hour / 2).toISOString();
    const draft = { ...first, published: false, scheduledAt };
    expect(await statusOf(writer.call('POST', '/api/posts', draft))).toBe(201);
    await expect
      .poll(async () => (await fetch(`${site.url}/api/health`)).json())
      .toMatchObject({
        status: 'degraded',
        problems: [
          expect.stringContaining('The clock of this server is ahead of that of the data'),
        ],
      });
  });

  test.runIf(isFullRun)(
    'publish scheduled posts once, import posts once, and one server cleans up',
    async () => {
      using folder = temporaryFolder();
      const { database, a, b, writers } = await startBoth(folder.path);
      await using _a = a;
      await using _b = b;
      const scheduledAt = new Date(Date.now() + 3_000).toISOString();
      const slugs = ['first', 'second', 'third'];
      for (const slug of slugs) {
        const draft = { ...first, title: slug, slug, published: false, scheduledAt };
        expect(await statusOf(writers.a.call('POST', '/api/posts', draft))).toBe(201);
      }
      const source = join(folder.path, 'source');
      mkdirSync(source);
      for (let n = 1_000; n < 1_030; n += 1) {
        writeFileSync(
          join(source, `${n}.md`),
          `---\ntitle: Post\ndate: 2020-01-01\n---\nText ${n}`,
        );
      }
      const importAll = () =>
        cli(a.dataDir, ['posts', 'import', source], { env: { DATABASE_URL: database.url } });
      for (const { code, err } of await Promise.all([importAll(), importAll()])) {
        expect([code, err]).toEqual([0, '']);
      }
      for (const site of [a, b]) {
        for (const slug of [...slugs, '1029']) {
          await expect.poll(async () => (await read(site, `/blog/${slug}`))[0]).toBe(200);
        }
      }
      await expectSameFiles(a, b);

      const { db, close } = await openPrimary(database);
      await using _db = { [Symbol.asyncDispose]: close };
      const posts = db.select().from(blogPosts).orderBy(blogPosts.slug).all();
      expect(posts).toHaveLength(33);
      const scheduled = posts.filter(({ slug }) => slugs.includes(slug));
      // Version 1 is the draft, version 2 the published post.
      expect(scheduled.map(({ version }) => version)).toEqual([2, 2, 2]);
      const logged = db.select().from(publishLog).all();
      for (const slug of slugs) {
        // One server published it.
        expect(logged.filter(({ path }) => path === `/blog/${slug}.md`)).toHaveLength(1);
      }
      const cleanup = () => db.select({ name: leases.name }).from(leases).all();
      await expect.poll(cleanup).toEqual([{ name: 'cleanup' }]);
    },
  );

  test.runIf(isFullRun)(
    'commands use the shared database, and its backup can be restored to a folder',
    async () => {
      using folder = temporaryFolder();
      const { database, a, b, writers } = await startBoth(folder.path);
      await using _a = a;
      await using _b = b;
      expect(await statusOf(writers.a.call('POST', '/api/posts', first))).toBe(201);
      const shared = { DATABASE_URL: database.url };
      const run = (...args: string[]) => cli(a.dataDir, args, { env: shared });

      expect(await run('staff', 'add', 'ann@example.com')).toMatchObject({ code: 0 });
      const archive = join(folder.path, 'backup.tar.gz');
      expect(await run('backup', archive)).toMatchObject({ code: 0 });
      const missing = join(folder.path, 'missing');
      expect(await cli(missing, ['backup', archive], { env: shared })).toMatchObject({
        code: 1,
        err: expect.stringContaining(`DATA_DIR ${missing}, which is not writable (ENOENT)`),
      });
      const refused = await run('restore', archive);
      expect(refused.code).toBe(1);
      expect(refused.err).toContain('The database is on the server of DATABASE_URL');
      const own = join(folder.path, 'own');
      expect(await cli(own, ['restore', archive])).toMatchObject({ code: 0 });
      await using restored = await SiteProcess.launch({
        dataDir: own,
        port: await freePort(),
        env: { PUBLIC_URL: publicUrl },
      });
      await restored.ready;
      await expectSameFiles(a, restored);

      await restored.stop();
      const ofOwn = await SiteProcess.launch({ dataDir: own, port: await freePort(), env: shared });
      const { code, stderr } = await ofOwn.ended;
      expect(code).toBe(1);
      expect(stderr).toContain('has a database of its own (site.db)');
    },
  );

  test.runIf(isFullRun)(
    'a server waits for the database server, and refuses the database of another site',
    async () => {
      using folder = temporaryFolder();
      const database = await startSqld();
      onTestFinished(database.stop);
      await database.kill();
      await using waiting = await SiteProcess.launch({
        dataDir: join(folder.path, 'a'),
        port: await freePort(),
        env: envOf(database),
      });
      await waiting.logged('degraded');
      await database.start();
      await waiting.ready;
      expect((await read(waiting, '/blog'))[0]).toBe(200);
      await waiting.stop();

      const another = await startSqld();
      onTestFinished(another.stop);
      for (const [options, reason] of [
        [[], 'contains a site, but the database of DATABASE_URL is empty: check DATABASE_URL'],
        [['--new'], '--new begins with an empty database in DATA_DIR.'],
      ] as const) {
        await using refused = await SiteProcess.launch({
          dataDir: waiting.dataDir,
          port: await freePort(),
          env: envOf(another),
          options: [...options],
        });
        const { code, stderr } = await refused.ended;
        expect(code).toBe(1);
        expect(stderr).toContain(reason);
      }
    },
  );
});

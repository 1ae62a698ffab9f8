import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '@app/db/open';
import { freePort } from '@app/db/testing/free-port';
import { expect, test } from 'vitest';
import { type Ended, SiteProcess, stoppedSite, temporaryFolder } from '../support/site-process.ts';
import { Writer } from '../support/writer.ts';

const api = fileURLToPath(new URL('../../apps/api', import.meta.url));

/** Starts a server that must exit with an error. @returns its message */
async function whyItGivesUp(options: Parameters<typeof SiteProcess.launch>[0]): Promise<string> {
  const site = await SiteProcess.launch(options);
  const { code, stderr }: Ended = await site.ended;
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at |node:internal|Error:/m);
  expect(site.log).toEqual([]);
  return stderr.trimEnd();
}

test('lists all invalid settings and how to fix them', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const env = { PORT: 'http', PUBLIC_URL: 'example.com', AUTHORING: 'anyone', SMTP_URL: 'mail' };

  const lines = (await whyItGivesUp({ dataDir, env })).split('\n');

  expect(lines).toEqual([
    'Invalid configuration:',
    '  PORT must be a whole number from 1 to 65535, such as 4321.',
    '  PUBLIC_URL must be an origin without a path, such as https://example.com.',
    '  SMTP_URL must be a URL such as smtps://user:password@mail.example.com, with special characters percent-encoded.',
    '  AUTHORING must be everyone or team.',
    '  MAIL_FROM must be set to send email: an address your email provider allows.',
  ]);
  expect(existsSync(dataDir)).toBe(false);
});

test('refuses a port that is in use', async () => {
  using folder = temporaryFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  try {
    const why = await whyItGivesUp({ dataDir: folder.path, port });
    expect(why).toBe(`Port ${port} is in use: stop the other server, or set PORT.`);
    expect(existsSync(join(folder.path, 'site.db'))).toBe(false);
  } finally {
    other.close();
  }
});

test('refuses a HOST that is not an address of this machine', async () => {
  using folder = temporaryFolder();
  const env = { HOST: '192.0.2.1' };
  expect(await whyItGivesUp({ dataDir: folder.path, env })).toBe(
    'HOST 192.0.2.1 is not an address of this machine: set it to 127.0.0.1 or 0.0.0.0.',
  );
});

test('refuses a DATA_DIR that is not a folder', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, 'not a folder');
  for (const dataDir of [file, join(file, 'data')]) {
    expect(await whyItGivesUp({ dataDir })).toBe(
      `DATA_DIR ${dataDir} is not a folder: choose another one.`,
    );
  }
});

test('refuses a DATA_DIR that another server is using, until that server is killed', async () => {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  await using site = await SiteProcess.start({ dataDir });
  expect(await whyItGivesUp({ dataDir })).toBe(
    `Another server is using DATA_DIR ${dataDir}: stop it, or choose another folder.`,
  );

  site.signal('SIGKILL');
  await site.ended;
  await using next = await SiteProcess.start({ dataDir });
  expect((await fetch(next.url)).status).toBe(200);
});

test('refuses to start if the site is not built', async () => {
  using folder = temporaryFolder();
  const copy = join(folder.path, 'apps/api');
  cpSync(join(api, 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(api, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(api, 'node_modules'), join(copy, 'node_modules'));

  const why = await whyItGivesUp({
    dataDir: join(folder.path, 'data'),
    workspace: folder.path,
  });

  expect(why).toBe(
    `The site is not built (${join(folder.path, 'apps/web/dist/build.json')} is missing): run \`pnpm build\`.`,
  );
});

test('refuses the database of another program, and does not change it', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'site.db');
  const tables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'";
  const before = open(file).$client.exec('CREATE TABLE users (name TEXT)').prepare(tables).all();

  expect(await whyItGivesUp({ dataDir: folder.path })).toBe(
    `${file} belongs to another program (its tables: users). Set DATA_DIR to a separate folder for this site.`,
  );
  expect(open(file).$client.prepare(tables).all()).toEqual(before);
});

test('refuses a database that does not match the migrations, and does not change it', async () => {
  using folder = temporaryFolder();
  await stoppedSite(folder.path);
  const { $client: client } = open(join(folder.path, 'site.db'));
  client.exec('DELETE FROM __drizzle_migrations WHERE id > 1');
  const tables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'";
  const before = client.prepare(tables).all();
  client.close();

  expect(await whyItGivesUp({ dataDir: folder.path })).toMatch(
    /^The database could not be migrated \(.*\)\. Nothing was changed: .*\.$/,
  );
  expect(open(join(folder.path, 'site.db')).$client.prepare(tables).all()).toEqual(before);
});

test('refuses a database of a newer version', async () => {
  using folder = temporaryFolder();
  await stoppedSite(folder.path);
  const { $client: client } = open(join(folder.path, 'site.db'));
  client
    .prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)')
    .run('from the future', Date.parse('2100-01-01'));
  client.close();

  expect(await whyItGivesUp({ dataDir: folder.path })).toBe(
    'The database was written by a newer version of this program. Start that version, or go back to the data from before its update: `pnpm cli restore` with the newest file in DATA_DIR/before-migration. What was written since then would be missing.',
  );
});

test('refuses a file that is not a database', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'site.db'), 'x'.repeat(10_000));
  expect(await whyItGivesUp({ dataDir: folder.path })).toMatch(
    /^The database file is damaged or not a database \(file is not a database\): restore site\.db, or start/,
  );
});

test('refuses an unknown option', async () => {
  using folder = temporaryFolder();
  expect(await whyItGivesUp({ dataDir: folder.path, options: ['--nwe'] })).toMatch(
    /^Unknown option '--nwe'.*The only option is --new/,
  );
});

test('does not touch a site without a database until --new moves it aside', async () => {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  {
    await using site = await SiteProcess.start({ dataDir });
    const writer = Writer.add(site);
    const post = { title: 'Hello', slug: 'hello', content: 'Text', published: true };
    expect((await writer.call('POST', '/api/posts', post)).status).toBe(201);
    await site.stop();
  }
  const page = readFileSync(join(dataDir, 'site/blog/hello.html'), 'utf8');
  const file = join(dataDir, 'site.db');
  const files = () =>
    readdirSync(dataDir, { recursive: true }).filter(
      (name) => !name.toString().startsWith('server.lock'),
    );
  for (const [problem, lose] of [
    ['no database', () => rmSync(file)],
    ['its database is empty', () => writeFileSync(file, '')],
  ] as const) {
    lose();
    const before = files();
    expect(await whyItGivesUp({ dataDir })).toMatch(
      `DATA_DIR contains a site but ${problem}: restore site.db, or start with --new`,
    );
    expect(files()).toEqual(before);
  }

  await using site = await SiteProcess.start({ dataDir, options: ['--new'] });
  expect((await fetch(`${site.url}/blog/hello`)).status).toBe(404);
  const [aside = ''] = readdirSync(dataDir).filter((name) => name.startsWith('previous-'));
  expect(readFileSync(join(dataDir, aside, 'site/blog/hello.html'), 'utf8')).toBe(page);
});

test('refuses a folder in place of the link to the published site', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'site'));
  expect(await whyItGivesUp({ dataDir: folder.path })).toMatch(
    /site is a folder, but must be a link/,
  );
});

test('publishes the site on an empty folder, and reuses it at the second start', async () => {
  using folder = temporaryFolder();
  const options = { dataDir: join(folder.path, 'new/data'), port: await freePort() };
  for (const logged of [['republished all pages'], []]) {
    await using site = await SiteProcess.launch(options);
    await site.ready;
    expect(site.log.map(({ msg }) => msg)).toEqual([...logged, `ready on ${site.url}`]);
    const [home, blog, health] = await Promise.all(
      ['/', '/blog', '/api/health'].map((path) => fetch(site.url + path)),
    );
    expect([home?.status, blog?.status, health?.status]).toEqual([200, 200, 200]);
    expect(await home?.text()).toMatch(`rel="canonical" href="${site.url}/"`);
    expect(await site.stop()).toEqual({ code: 0, signal: null, stderr: '' });
  }
});

test('refuses a database that cannot be opened', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'site.db'));
  expect(await whyItGivesUp({ dataDir: folder.path })).toBe(
    `DATA_DIR ${folder.path} cannot be read or written (unable to open database file): check its permissions and its disk, then start again.`,
  );
});

test('refuses a database in which all pages but the first are damaged', async () => {
  using folder = temporaryFolder();
  await stoppedSite(folder.path);
  const file = join(folder.path, 'site.db');
  writeFileSync(file, readFileSync(file).fill(0xff, 4_096));
  expect(await whyItGivesUp({ dataDir: folder.path })).toMatch(
    /^The database (?:file|in DATA_DIR .*) is damaged.* restore/,
  );
});

test('refuses a database that lacks a table', async () => {
  using folder = temporaryFolder();
  await stoppedSite(folder.path);
  const { $client: client } = open(join(folder.path, 'site.db'));
  client.exec('DROP TABLE rate_limits');
  client.close();
  expect(await whyItGivesUp({ dataDir: folder.path })).toBe(
    `The database in DATA_DIR ${folder.path} does not have the tables of this version (no such table: rate_limits): restore a backup with \`pnpm cli restore FILE\`.`,
  );
});

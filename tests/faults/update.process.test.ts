import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { allRows } from '@app/api/src/testing/tables.ts';
import { close, open } from '@app/db/open';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { moveDatabaseAside } from '../support/move-aside.ts';
import { makeNextVersion } from '../support/next-version.ts';
import { copySite, SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { mountDisk, needsMount } from '../support/small-disk.ts';
import { statusOf } from '../support/status-of.ts';
import { Writer } from '../support/writer.ts';

const template = temporaryFolder();
const templateDir = join(template.path, 'data');
let port: number;
let rows: unknown;

beforeAll(async () => {
  const site = await SiteProcess.start({ dataDir: templateDir });
  await publish(Writer.add(site), 'before');
  expect(await site.stop()).toMatchObject({ code: 0 });
  ({ port } = site);
  rows = rowsIn(templateDir);
});
afterAll(() => template[Symbol.dispose]());

/** Makes a stopped, published site with a post and its author. */
const makeSite = (dataDir: string): void => copySite(templateDir, dataDir);

async function publish(writer: Writer, slug: string): Promise<void> {
  const post = { title: slug, slug, content: `${slug} as written.`, published: true };
  expect((await writer.call('POST', '/api/posts', post)).status).toBe(201);
}

function rowsIn(folder: string): unknown {
  const db = open(join(folder, 'site.db'));
  try {
    return allRows(db);
  } finally {
    close(db);
  }
}

/** Expects the previous version to start on the data from before the update. */
async function expectPreviousVersion(dataDir: string): Promise<void> {
  expect(rowsIn(dataDir)).toEqual(rows);
  await using site = await SiteProcess.start({ dataDir, port });
  expect(await statusOf(fetch(`${site.url}/blog/before`))).toBe(200);
}

const copiesIn = (dataDir: string): string[] => readdirSync(join(dataDir, 'before-migration'));

/** Writes a table that is many times larger than the database. */
const longMigration = (rows: number): string =>
  `CREATE TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i, hex(zeroblob(500)) AS t FROM n;`;

test('an update is rolled back with the copy from before its migration', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  makeSite(dataDir);
  const workspace = makeNextVersion(join(folder.path, 'next'), 'CREATE TABLE next (id text);');
  {
    await using next = await SiteProcess.start({ dataDir, port, workspace });
    expect(next.log.map(({ msg }) => msg)).toEqual([
      'copied the database before its migration',
      'migrated the database',
      `ready on ${next.url}`,
    ]);
    expect(await statusOf(fetch(`${next.url}/blog/before`))).toBe(200);
    await publish(Writer.add(next, 'bob'), 'after');
    expect(await statusOf(fetch(`${next.url}/blog/after`))).toBe(200);
    await next.stop();
  }

  const refused = await SiteProcess.launch({ dataDir, port });
  expect(await refused.ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database was written by a newer version of this program\. Start that version, or go back .* `pnpm cli restore`/,
    ),
  });
  const [copy = ''] = copiesIn(dataDir);
  const aside = moveDatabaseAside(dataDir);
  const file = join(dataDir, 'before-migration', copy);
  expect(runCli(dataDir, 'restore', file)).toMatch(
    /^Restored the backup of .*: 1 account, 1 post, /,
  );

  await using site = await SiteProcess.start({ dataDir, port });
  expect(await statusOf(fetch(`${site.url}/blog/before`))).toBe(200);
  expect(await statusOf(fetch(`${site.url}/blog/after`))).toBe(404);
  expect(rowsIn(aside)).toMatchObject({
    blog_posts: [{ slug: 'before' }, { slug: 'after' }],
  });
  expect(await site.stop()).toEqual({ code: 0, signal: null, stderr: '' });
});

test('a failed migration ends the start with one sentence and changes nothing', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  makeSite(dataDir);
  const bytes = readFileSync(join(dataDir, 'site.db'));
  const workspace = makeNextVersion(
    join(folder.path, 'next'),
    `${longMigration(20_000)}\n--> statement-breakpoint\nUPDATE users SET email = 'gone';\n--> statement-breakpoint\nDROP TABLE no_such_table;`,
  );

  const failing = await SiteProcess.launch({ dataDir, port, workspace });
  expect(await failing.ended).toEqual({
    code: 1,
    signal: null,
    stderr:
      'The database could not be migrated (no such table: no_such_table). Nothing was changed: start the previous version, or fix the cause and start again.\n',
  });

  expect(readFileSync(join(dataDir, 'site.db')).equals(bytes)).toBe(true);
  await expectPreviousVersion(dataDir);
});

test('the previous version starts on its data after a kill in the middle of a migration', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  makeSite(dataDir);
  const workspace = makeNextVersion(join(folder.path, 'next'), longMigration(1_000_000));
  const wal = join(dataDir, 'site.db-wal');
  const next = await SiteProcess.launch({ dataDir, port, workspace });
  await next.logged('copied the database');
  // SQLite writes pages of the migration that do not fit into memory.
  await expect
    .poll(() => statSync(wal, { throwIfNoEntry: false })?.size, { interval: 5 })
    .toBeGreaterThanOrEqual(20e6);
  next.signal('SIGKILL');
  expect(await next.ended).toMatchObject({ signal: 'SIGKILL' });

  await expectPreviousVersion(dataDir);
});

test('a disk that fills up in the middle of a migration leaves the data of the previous version', async ({
  skip,
}) => {
  using folder = temporaryFolder();
  using disk = mountDisk(join(folder.path, 'disk'));
  if (!disk) return skip(needsMount);
  const { dataDir } = disk;
  makeSite(dataDir);
  const workspace = makeNextVersion(join(folder.path, 'next'), longMigration(40_000));

  {
    // Pages are served nevertheless.
    await using next = await SiteProcess.start({ dataDir, port, workspace });
    expect(next.log).toContainEqual(
      expect.objectContaining({ problem: expect.stringMatching(/^The disk is full/) }),
    );
    expect(await statusOf(fetch(`${next.url}/blog/before`))).toBe(200);
    await next.stop();
  }
  await expectPreviousVersion(dataDir);
});

test('an update without space for a copy is refused before it changes anything', async ({
  skip,
}) => {
  using folder = temporaryFolder();
  using disk = mountDisk(join(folder.path, 'disk'));
  if (!disk) return skip(needsMount);
  const { dataDir } = disk;
  makeSite(dataDir);
  const workspace = makeNextVersion(join(folder.path, 'next'), 'CREATE TABLE next (id text);');

  // Without any space, the server would start read-only before it looks at migrations.
  disk.fill(500_000);
  const refused = await SiteProcess.launch({ dataDir, port, workspace });
  expect(await refused.ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATA_DIR .* has 0\.\d MB of free space, and this update needs \d\.\d MB: .*Nothing was changed/,
    ),
  });
  disk.empty();
  expect(rowsIn(dataDir)).toEqual(rows);
  await using next = await SiteProcess.start({ dataDir, port, workspace });
  expect(await statusOf(fetch(`${next.url}/blog/before`))).toBe(200);
  expect(copiesIn(dataDir)).toHaveLength(1);
});

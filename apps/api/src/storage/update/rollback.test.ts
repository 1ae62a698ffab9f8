import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { lockFolder } from '@app/db/folder-lock';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { earlierMigrations, migrationTags, nextMigrations } from '@app/db/testing/other-versions';
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { cliJson, runCli } from '../../testing/cli.ts';
import { allRows } from '../../testing/tables.ts';
import { MovingClock } from '../../testing/test-app.ts';
import { listCopies } from './copies.ts';
import { migrateDatabase } from './migrate-database.ts';

const newest = migrationTags.at(-1) ?? '';
const name = `${newest}-2026-03-01T12-00-00.000Z.db`;

let dataDir: string;
let clock: MovingClock;

/** A site that was updated to the next version, which then added an account. */
beforeEach(() => {
  dataDir = makeDataDir();
  clock = new MovingClock();
  writeFileSync(join(dataDir, 'notes.txt'), 'the owner’s');
  const db = open(join(dataDir, 'site.db'));
  migrate(db);
  db.$client.exec("INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1)");
  const migrationsFolder = nextMigrations(join(makeDataDir(), 'next'), 'CREATE TABLE next (id)');
  const log = createLog('silent');
  migrateDatabase(db, {
    dataDir,
    file: join(dataDir, 'site.db'),
    migrationsFolder,
    now: clock.now(),
    log,
  });
  db.$client.exec("INSERT INTO users (id, email, created_at) VALUES ('v', 'bob@example.com', 2)");
  close(db);
  clock.move(60_000);
});

const cli = (...args: string[]) => runCli({ dataDir, clock }, 'rollback', ...args);

function usersIn(folder: string): unknown {
  const db = open(join(folder, 'site.db'));
  try {
    return db.$client.prepare('SELECT email FROM users ORDER BY id').pluck().all();
  } finally {
    close(db);
  }
}

test('lists the copies', async () => {
  expect(await cli()).toEqual({
    exitCode: 0,
    err: '',
    out: expect.stringMatching(
      new RegExp(`^Copy +Made \\(UTC\\) +Size\n${name} +2026-03-01 12:00 +0\\.\\d MB\n$`),
    ),
  });
});

test('reports JSON', async () => {
  const json = (...args: string[]) => cliJson({ dataDir, clock }, 'rollback', ...args);
  const copy = {
    ...{ name, schema: newest, bytes: expect.any(Number) },
    madeAt: '2026-03-01T12:00:00.000Z',
  };
  expect(await json()).toEqual({ copies: [copy], restored: null, previous: null });
  expect(await json(name)).toEqual({
    copies: [copy],
    restored: copy,
    previous: join(dataDir, 'previous-2026-03-01T12-01-00.000Z'),
  });
});

test('restores the copy, and moves the newer database aside', async () => {
  const { exitCode, out } = await cli(name);
  const aside = join(dataDir, 'previous-2026-03-01T12-01-00.000Z');
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: `Restored the database of 2026-03-01 12:00 UTC, as it was before the migration from ${newest}.\nThe replaced database, with everything written since, is in ${aside}.\nStart the version that you had then.\n`,
  });
  expect(usersIn(dataDir)).toEqual(['ann@example.com']);
  expect(usersIn(aside)).toEqual(['ann@example.com', 'bob@example.com']);
  expect(statSync(join(dataDir, 'site.db')).mode & 0o077).toBe(0);
  // The copy is kept for another try, and files of the owner are not touched.
  expect(listCopies(dataDir).map((copy) => copy.name)).toEqual([name]);
  expect(readFileSync(join(dataDir, 'notes.txt'), 'utf8')).toBe('the owner’s');
  const db = open(join(dataDir, 'site.db'));
  expect(migrate(db)).toBe(0);
  expect(allRows(db)).not.toHaveProperty('next');
  close(db);
});

async function refused(...args: string[]): Promise<string> {
  const before = readdirSync(dataDir);
  const { exitCode, out, err } = await cli(...args);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(readdirSync(dataDir).filter((entry) => !entry.startsWith('server.lock'))).toEqual(
    before.filter((entry) => !entry.startsWith('server.lock')),
  );
  expect(usersIn(dataDir)).toEqual(['ann@example.com', 'bob@example.com']);
  return err;
}

test('refuses while another program has the database open', async () => {
  const db = open(join(dataDir, 'site.db'));
  try {
    expect(await refused(name)).toContain(
      'site.db open, such as Litestream, a backup or sqlite3: end it, then try again. Nothing was changed.',
    );
  } finally {
    close(db);
  }
});

test('refuses while a server runs', async () => {
  const unlock = lockFolder(dataDir);
  expect(await refused(name)).toMatch(/^A server is using DATA_DIR .*: stop it, then try again\./);
  unlock?.();
});

test('refuses a copy that does not exist, and lists those that do', async () => {
  expect(await refused('../site.db')).toMatch(
    new RegExp(`^There is no copy \\.\\./site\\.db\\. There are:\n\nCopy .*\n${name} `),
  );
});

test('refuses a damaged copy', async () => {
  const [copy] = listCopies(dataDir);
  const bytes = readFileSync(copy?.file ?? '');
  writeFileSync(copy?.file ?? '', bytes.fill(0xff, 8_192));
  expect(await refused(name)).toMatch(/cannot be used \(.*\)\. Nothing was changed\.\n$/);
});

test('refuses a copy of a newer version', async () => {
  const newer = join(dataDir, 'before-migration', 'next-2026-03-01T13-00-00.000Z.db');
  copyFileSync(join(dataDir, 'site.db'), newer);
  expect(await refused('next-2026-03-01T13-00-00.000Z.db')).toMatch(
    /was written by a newer version: this one cannot read it\. Nothing was changed\.\n$/,
  );
});

test('recommends restoring a backup if there are no copies', async () => {
  dataDir = makeDataDir();
  expect(await cli()).toEqual({
    exitCode: 1,
    out: '',
    err: `DATA_DIR ${dataDir} has no pre-migration copy: restore a backup instead.\n`,
  });
  expect(existsSync(dirname(dataDir))).toBe(true);
});

test('restores a copy from an older schema after an update that skipped versions', async () => {
  const old = makeDataDir();
  const [before = ''] = migrationTags.slice(-3);
  const db = open(join(old, 'site.db'));
  migrate(db, earlierMigrations(join(makeDataDir(), 'earlier'), before));
  db.$client.exec("INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1)");
  const migrationsFolder = earlierMigrations(join(makeDataDir(), 'now'), newest);
  migrateDatabase(db, {
    dataDir: old,
    file: join(old, 'site.db'),
    migrationsFolder,
    now: clock.now(),
    log: createLog('silent'),
  });
  close(db);
  const [copy] = listCopies(old);
  expect(copy?.schema).toBe(before);
  dataDir = old;
  expect(await cli(copy?.name ?? '')).toMatchObject({ exitCode: 0 });
  expect(usersIn(old)).toEqual(['ann@example.com']);
});

import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

let dataDir: string;
let clock: MovingClock;
let copy: string;

const insertUser = (id: string, email: string): string =>
  `INSERT INTO users (id, email, created_at) VALUES ('${id}', '${email}', 1)`;

/** A site of this schema, updated to other migrations, which then added an account. */
function makeUpdatedSite(schema: string, migrationsFolder: string): void {
  const db = open(join(dataDir, 'site.db'));
  migrate(db, earlierMigrations(join(makeDataDir(), 'earlier'), schema));
  db.$client.exec(insertUser('u', 'ann@example.com'));
  const log = createLog('silent');
  const file = join(dataDir, 'site.db');
  migrateDatabase(db, { dataDir, file, migrationsFolder, now: clock.now(), log });
  db.$client.exec(insertUser('v', 'bob@example.com'));
  close(db);
  copy = listCopies(dataDir)[0]?.file ?? '';
}

beforeEach(() => {
  dataDir = makeDataDir();
  clock = new MovingClock();
  writeFileSync(join(dataDir, 'notes.txt'), 'the owner’s');
  makeUpdatedSite(newest, nextMigrations(join(makeDataDir(), 'next'), 'CREATE TABLE next (id)'));
});

const restore = (file = copy) => runCli({ dataDir, clock }, 'restore', file);

function usersIn(folder: string): unknown {
  const db = open(join(folder, 'site.db'));
  try {
    return db.$client.prepare('SELECT email FROM users ORDER BY id').pluck().all();
  } finally {
    close(db);
  }
}

/** Expects a refusal, which says how to move the newer database aside, and does that. */
async function moveAside(): Promise<string> {
  const { exitCode, err } = await restore();
  expect(exitCode).toBe(1);
  expect(err).toContain(`DATA_DIR ${dataDir} contains a database. Move it aside, then try again:`);
  expect(usersIn(dataDir)).toEqual(['ann@example.com', 'bob@example.com']);
  execFileSync('sh', ['-c', err.split('\n').at(-2) ?? '']);
  return join(dataDir, 'previous-2026-03-01T12-00-00.000Z');
}

test('the copy is restored beside uploads and pages, after the newer database is moved aside', async () => {
  const aside = await moveAside();
  expect(await restore()).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^Restored the backup of .* UTC: 1 account, 0 posts, /),
  });
  expect(usersIn(dataDir)).toEqual(['ann@example.com']);
  expect(usersIn(aside)).toEqual(['ann@example.com', 'bob@example.com']);
  expect(statSync(join(dataDir, 'site.db')).mode & 0o077).toBe(0);
  // The copy is kept for another try, and files of the owner are not touched.
  expect(listCopies(dataDir)).toHaveLength(1);
  expect(readFileSync(join(dataDir, 'notes.txt'), 'utf8')).toBe('the owner’s');
  const db = open(join(dataDir, 'site.db'));
  expect(migrate(db)).toBe(0);
  expect(allRows(db)).not.toHaveProperty('next');
  close(db);
});

test('restore lists the copies in their folder, and verify checks one', async () => {
  const { err } = await restore(join(dataDir, 'before-migration'));
  expect(err).toContain(`is a folder: specify a file. The newest are:\n  ${copy}\n`);
  expect(await cliJson({ dataDir, clock }, 'verify', copy)).toMatchObject({ accounts: 1 });
});

test('restores a copy that another program has open, with its write-ahead log', async () => {
  const other = join(makeDataDir(), 'other.db');
  const db = open(other);
  migrate(db);
  db.$client.exec(insertUser('w', 'eve@example.com'));
  await moveAside();
  expect(await restore(other)).toMatchObject({ exitCode: 0 });
  close(db);
  expect(usersIn(dataDir)).toEqual(['eve@example.com']);
});

async function refused(file = copy): Promise<string> {
  const before = readdirSync(dataDir);
  const { exitCode, out, err } = await restore(file);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(readdirSync(dataDir)).toEqual(before);
  return err;
}

test('refuses while a server runs', async () => {
  const unlock = lockFolder(dataDir);
  expect(await refused()).toMatch(/^A server is using DATA_DIR .*: stop it, then try again\./);
  unlock?.();
});

test('refuses a damaged copy', async () => {
  await moveAside();
  writeFileSync(copy, readFileSync(copy).fill(0xff, 8_192));
  expect(await refused()).toMatch(/cannot be restored: .*\. Nothing was changed\.\n$/);
});

test('refuses a copy of a newer version', async () => {
  const newer = join(dataDir, 'before-migration', 'next-2026-03-01T13-00-00.000Z.db');
  copyFileSync(join(dataDir, 'site.db'), newer);
  await moveAside();
  expect(await refused(newer)).toMatch(
    /it was made by a newer version of this program: use that version\. Nothing was changed\.\n$/,
  );
});

test('restores a copy from an older schema after an update that skipped versions', async () => {
  dataDir = makeDataDir();
  const [before = ''] = migrationTags.slice(-3);
  makeUpdatedSite(before, earlierMigrations(join(makeDataDir(), 'now'), newest));
  expect(copy).toContain(before);
  await moveAside();
  expect(await restore()).toMatchObject({ exitCode: 0 });
  expect(usersIn(dataDir)).toEqual(['ann@example.com']);
});

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import { MigrationFailed, migrate } from '@app/db/migrate';
import { close, type Database, open } from '@app/db/open';
import { openReplica } from '@app/db/replica/open-replica';
import { earlierMigrations, migrationTags, nextMigrations } from '@app/db/testing/other-versions';
import { describeOnServer, startSqld } from '@app/db/testing/sqld';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../log.ts';
import { StartupError } from '../../startup-error.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { allRows } from '../../testing/tables.ts';
import { MovingClock } from '../../testing/test-app.ts';
import { deleteOldCopies, listCopies } from './copies.ts';
import { migrateDatabase } from './migrate-database.ts';

const newest = migrationTags.at(-1) ?? '';
const log = createLog('silent');

let dataDir: string;
let clock: MovingClock;

beforeEach(() => {
  dataDir = makeDataDir();
  clock = new MovingClock();
});

/** Has an account, so that it counts as in use. */
function makeDatabase(schema = newest): Database {
  const db = open(join(dataDir, 'site.db'));
  onTestFinished(() => close(db));
  migrate(db, earlierMigrations(join(makeDataDir(), 'earlier'), schema));
  db.$client.exec("INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1)");
  return db;
}

const next = (statements = 'CREATE TABLE next (id text)') =>
  nextMigrations(join(makeDataDir(), 'next'), statements);

const update = (db: Database, migrationsFolder: string, freeSpace = () => 1e9) =>
  migrateDatabase(db, {
    dataDir,
    file: join(dataDir, 'site.db'),
    migrationsFolder,
    now: clock.now(),
    log,
    freeSpace,
  });

const copyNames = () => listCopies(dataDir).map(({ name }) => name);

function rowsOf(file: string): unknown {
  const db = open(file);
  try {
    return allRows(db);
  } finally {
    close(db);
  }
}

test('copies a database in use before it is migrated', () => {
  const db = makeDatabase();
  const rows = allRows(db);
  update(db, next());
  expect(copyNames()).toEqual([`${newest}-2026-03-01T12-00-00.000Z.db`]);
  const [copy] = listCopies(dataDir);
  expect(copy).toMatchObject({ schema: newest, madeAt: clock.now() });
  expect(rowsOf(copy?.file ?? '')).toEqual(rows);
  expect(statSync(join(dataDir, 'before-migration')).mode & 0o777).toBe(0o700);
  expect(allRows(db)).toHaveProperty('next');
});

test('makes no copy if there is no migration', () => {
  const db = makeDatabase();
  update(db, next());
  const before = copyNames();
  clock.move(day);
  const migrationsFolder = next();
  update(db, migrationsFolder);
  expect(copyNames()).toEqual(before);
});

test('makes no copy of a database that has only data written at startup', () => {
  const db = open(join(dataDir, 'site.db'));
  onTestFinished(() => close(db));
  update(db, earlierMigrations(join(makeDataDir(), 'earlier'), newest));
  db.$client.exec("INSERT INTO server_secrets (name, value) VALUES ('devices', 'x')");
  update(db, next());
  expect(allRows(db)).toHaveProperty('next');
  expect(readdirSync(dataDir)).not.toContain('before-migration');
});

test('refuses to migrate without space for the copy and the migration', () => {
  const db = makeDatabase();
  const rows = allRows(db);
  const pages = Number(db.$client.pragma('page_count', { simple: true }));
  const needed = 2 * 4_096 * pages;
  const attempt = () => update(db, next(), () => needed - 1);
  expect(attempt).toThrow(StartupError);
  expect(attempt).toThrow(
    /^DATA_DIR .* has \d\.\d MB of free space, and this update needs \d\.\d MB: .* Nothing was changed: free some space and start again, or start the previous version\.$/,
  );
  expect(allRows(db)).toEqual(rows);
  expect(existsSync(join(dataDir, 'before-migration'))).toBe(false);
  update(db, next(), () => needed);
  expect(copyNames()).toHaveLength(1);
});

test('leaves the database unchanged and keeps its copy when a migration fails', () => {
  const db = makeDatabase();
  db.$client.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(join(dataDir, 'site.db'));
  const broken = next(
    `CREATE TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i, hex(randomblob(50)) AS t FROM n;
--> statement-breakpoint
UPDATE users SET email = 'gone';
--> statement-breakpoint
DROP TABLE no_such_table;`,
  );
  expect(() => update(db, broken)).toThrow(MigrationFailed);
  expect(readFileSync(join(dataDir, 'site.db')).equals(bytes)).toBe(true);
  expect(db.$client.prepare('SELECT email FROM users').pluck().all()).toEqual(['ann@example.com']);
  expect(copyNames()).toHaveLength(1);
});

test('does not migrate a database that violates foreign keys', () => {
  const db = makeDatabase();
  db.$client.pragma('foreign_keys = OFF');
  db.$client.exec("INSERT INTO profiles (id, updated_at) VALUES ('nobody', 1)");
  expect(() => update(db, next())).toThrow(
    /^The database could not be copied before its migration \(rows of profiles violate foreign keys\)\. Nothing was changed/,
  );
  expect(allRows(db)).not.toHaveProperty('next');
  expect(readdirSync(join(dataDir, 'before-migration'))).toEqual([]);
});

test('keeps one copy per schema when starts fail repeatedly', () => {
  const [first = '', second = ''] = migrationTags.slice(-3);
  const db = makeDatabase(first);
  update(db, earlierMigrations(join(makeDataDir(), 'earlier'), second));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    clock.move(1_000);
    expect(() => update(db, next('DROP TABLE no_such_table'))).toThrow(MigrationFailed);
  }
  expect(copyNames()).toEqual([
    `${second}-2026-03-01T12-00-05.000Z.db`,
    `${first}-2026-03-01T12-00-00.000Z.db`,
  ]);
});

test('keeps the copies of the latest three schemas', () => {
  const tags = migrationTags.slice(-6);
  const db = makeDatabase(tags[0]);
  for (const tag of tags.slice(1)) {
    clock.move(1_000);
    update(db, earlierMigrations(join(makeDataDir(), tag), tag));
  }
  expect(listCopies(dataDir).map(({ schema }) => schema)).toEqual(tags.slice(2, 5).reverse());
});

test('deletes copies after 30 days, but no other files', () => {
  const db = makeDatabase();
  update(db, next());
  writeFileSync(join(dataDir, 'before-migration', 'notes.txt'), 'the owner’s');
  clock.move(30 * day);
  deleteOldCopies(dataDir, clock.now());
  expect(copyNames()).toHaveLength(1);
  clock.move(1);
  deleteOldCopies(dataDir, clock.now());
  expect(readdirSync(join(dataDir, 'before-migration'))).toEqual(['notes.txt']);
});

test('removes a partial copy that a killed process left', () => {
  const db = makeDatabase();
  mkdirSync(join(dataDir, 'before-migration'));
  writeFileSync(join(dataDir, 'before-migration', '.partial.db'), 'half');
  update(db, next());
  expect(readdirSync(join(dataDir, 'before-migration'))).toEqual(copyNames());
});

test('does not copy while another process holds the write lock', () => {
  const db = open(join(dataDir, 'site.db'), { busyTimeout: 0 });
  onTestFinished(() => close(db));
  const other = makeDatabase();
  other.$client.exec('BEGIN IMMEDIATE');
  expect(() => update(db, next())).toThrow('database is locked');
  other.$client.exec('ROLLBACK');
  expect(existsSync(join(dataDir, 'before-migration'))).toBe(false);
});

describeOnServer('a shared database', () => {
  test('is copied before it is migrated', async () => {
    const server = await startSqld();
    onTestFinished(server.stop);
    const file = join(dataDir, 'replica.db');
    const { db, caughtUp, close: closeReplica } = await openReplica({ url: server.url, file });
    onTestFinished(closeReplica);
    migrate(db);
    db.$client.exec("INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1)");
    await caughtUp();
    const rows = allRows(db);
    const migrationsFolder = next();
    const migration = { dataDir, file, migrationsFolder, now: clock.now(), log };
    migrateDatabase(db, { ...migration, isShared: true });
    await caughtUp();
    expect(allRows(db)).toHaveProperty('next');
    expect(rowsOf(listCopies(dataDir)[0]?.file ?? '')).toEqual(rows);
  });
});

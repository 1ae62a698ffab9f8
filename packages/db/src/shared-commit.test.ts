import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from './migrate.ts';
import { close, type Database, open, type Transaction } from './open.ts';
import { serverSecrets as secrets } from './schema/server.ts';
import { sharedCommit } from './shared-commit.ts';
import { databaseKinds, openTestDatabaseOn } from './testing/database-kinds.ts';

const namesIn = (tx: Transaction) =>
  tx
    .select()
    .from(secrets)
    .all()
    .map(({ name }) => name);

function makeDatabase(file: string) {
  const db = open(file);
  onTestFinished(() => close(db));
  migrate(db);
  return makeWriters(db);
}

function makeWriters(db: Database) {
  const insert = (...names: string[]) =>
    sharedCommit(db, (tx) => {
      for (const name of names) tx.insert(secrets).values({ name, value: '' }).run();
      return namesIn(tx);
    });
  const names = () => db.transaction(namesIn);
  return { db, insert, names };
}

test('concurrent writes share a commit, and each gets its own result', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'db-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { db, insert } = makeDatabase(join(folder, 'site.db'));
  // Changes with each commit of another connection (sqlite.org/pragma.html#pragma_data_version).
  const other = open(join(folder, 'site.db'));
  onTestFinished(() => close(other));
  const seen: number[] = [];
  db.$client.function('look', () => {
    seen.push((other.$client.pragma('data_version') as [{ data_version: number }])[0].data_version);
    return null;
  });
  db.$client.exec(
    'CREATE TEMP TRIGGER looking AFTER INSERT ON server_secrets BEGIN SELECT look(); END',
  );

  // A machine that stalls would split the group.
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const results = await Promise.all(['a', 'b', 'c'].map((name) => insert(name)));
  now.mockRestore();

  expect(results).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
  expect(seen).toHaveLength(3);
  expect(new Set(seen).size).toBe(1);

  await insert('d');
  expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? 0);
});

test.each(databaseKinds)('on %s, rolls back a failed write and stores the others', async (kind) => {
  const { insert, names } = makeWriters(await openTestDatabaseOn(kind));
  const results = await Promise.allSettled([insert('a'), insert('b', 'a'), insert('c')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(names()).toEqual(['a', 'c']);
});

test.each(databaseKinds)('on %s, a write that ends the transaction fails alone', async (kind) => {
  const { db, insert, names } = makeWriters(await openTestDatabaseOn(kind));
  db.$client.exec(
    "CREATE TRIGGER full BEFORE INSERT ON server_secrets WHEN NEW.name = 'b' BEGIN SELECT RAISE(ROLLBACK, 'disk is full'); END",
  );
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => insert(name)));
  expect(results).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: 'disk is full' } },
    { status: 'fulfilled' },
  ]);
  expect(names()).toEqual(['a', 'c']);
});

test('rejects all writes when another process holds the lock too long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'db-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { db, insert, names } = makeDatabase(join(folder, 'site.db'));
  const other = open(join(folder, 'site.db'));
  onTestFinished(() => close(other));
  db.$client.pragma('busy_timeout = 0');
  other.$client.exec('BEGIN IMMEDIATE');
  // Makes the pauses between attempts zero.
  vi.spyOn(Math, 'random').mockReturnValue(-0.5);

  const results = await Promise.allSettled([insert('a'), insert('b')]);
  expect(results).toMatchObject([
    { status: 'rejected', reason: { code: 'SQLITE_BUSY' } },
    { status: 'rejected', reason: { code: 'SQLITE_BUSY' } },
  ]);

  other.$client.exec('ROLLBACK');
  await insert('c');
  expect(names()).toEqual(['c']);
});

test('a group that takes too long is stored in several transactions', async () => {
  const { db, insert, names } = makeWriters(await openTestDatabaseOn('a file'));
  db.$client.function('took', () => {
    clock += 20;
    return null;
  });
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  vi.spyOn(db, 'transaction');
  db.$client.exec(
    'CREATE TEMP TRIGGER slow AFTER INSERT ON server_secrets BEGIN SELECT took(); END',
  );
  const results = await Promise.all([...'abcdefg'].map((name) => insert(name)));
  expect(results.at(-1)).toEqual([...'abcdefg']);
  expect(names()).toEqual([...'abcdefg']);
  expect(db.transaction).toHaveBeenCalledTimes(4);
});

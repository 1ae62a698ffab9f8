import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteClient from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { inspectDatabase } from './inspect.ts';
import { migrate } from './migrate.ts';
import { close, open } from './open.ts';

let file: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'inspect-'));
  file = join(folder, 'site.db');
  return () => rmSync(folder, { recursive: true });
});

/** Creates a database as the first start leaves it, and runs more SQL. */
function site(sql = ''): void {
  const db = open(file);
  migrate(db);
  db.$client.exec(`INSERT INTO server_secrets (name, value) VALUES ('devices', 'x'); ${sql}`);
  close(db);
}

test('reports a missing file without creating it', () => {
  expect(inspectDatabase(file)).toEqual({ state: 'missing' });
  expect(readdirSync(join(file, '..'))).toEqual([]);
});

test('reports an empty file, and one without tables', () => {
  writeFileSync(file, '');
  expect(inspectDatabase(file)).toEqual({ state: 'empty' });
  expect(readFileSync(file).length).toBe(0);
  close(open(file));
  expect(inspectDatabase(file)).toEqual({ state: 'empty' });
});

test('distinguishes an unused site from a used one', () => {
  site();
  expect(inspectDatabase(file)).toEqual({ state: 'unused' });
  rmSync(file);
  site("INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1)");
  expect(inspectDatabase(file)).toEqual({ state: 'inUse' });
});

test('reads commits in the write-ahead log', () => {
  const db = open(file);
  migrate(db);
  db.$client.exec("INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1)");
  expect(inspectDatabase(file)).toEqual({ state: 'inUse' });
  close(db);
});

test('reports a newer version', () => {
  site("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)");
  expect(inspectDatabase(file)).toEqual({ state: 'newer' });
});

test.each([
  ['CREATE TABLE users (name TEXT)', ['users']],
  [
    'CREATE TABLE songs (id); CREATE TABLE __drizzle_migrations (id, hash, created_at); INSERT INTO __drizzle_migrations VALUES (1, 1, 1)',
    ['__drizzle_migrations', 'songs'],
  ],
])('does not change another program’s database: %s', (sql, tables) => {
  const client = new SqliteClient(file);
  client.exec(sql);
  client.close();
  const before = readFileSync(file);
  expect(inspectDatabase(file)).toEqual({ state: 'foreign', tables });
  expect(readFileSync(file)).toEqual(before);
});

test('reports a damaged database, and a file that is not one', () => {
  writeFileSync(file, 'x'.repeat(10_000));
  expect(inspectDatabase(file)).toEqual({ state: 'damaged', reason: 'file is not a database' });
  rmSync(file);
  site();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 100, 4_000));
  expect(inspectDatabase(file)).toMatchObject({ state: 'damaged' });
});

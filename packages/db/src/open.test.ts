import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { close, open } from './open.ts';

function databaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'open-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'site.db');
}

test.each([
  ['uses WAL, so that readers do not wait', 'journal_mode', 'wal'],
  ['flushes every commit', 'synchronous', 2],
  ['enforces foreign keys', 'foreign_keys', 1],
  ['waits for other writers', 'busy_timeout', 5_000],
  ['overwrites deleted data', 'secure_delete', 2],
])('%s', (_name, pragma, value) => {
  const db = open(databaseFile());
  onTestFinished(() => close(db));
  expect(db.$client.pragma(pragma, { simple: true })).toBe(value);
});

test('close moves the write-ahead log into the file', () => {
  const file = databaseFile();
  const db = open(file);
  db.$client.exec('CREATE TABLE notes (text TEXT)');
  close(db);

  rmSync(`${file}-wal`, { force: true });
  const again = open(file);
  onTestFinished(() => close(again));
  expect(again.$client.prepare('SELECT count(*) AS notes FROM notes').get()).toEqual({ notes: 0 });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { close, open } from './open.ts';
import { isOpenElsewhere } from './open-elsewhere.ts';
import { withReadOnly } from './read-only.ts';

let file: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'open-'));
  file = join(folder, 'site.db');
  return () => rmSync(folder, { recursive: true });
});

test('finds connections that write, read or are idle', () => {
  const db = open(file);
  db.$client.exec('CREATE TABLE notes (text)');
  expect(isOpenElsewhere(file)).toBe(true);
  db.$client.exec("INSERT INTO notes VALUES ('a note')");
  close(db);
  expect(isOpenElsewhere(file)).toBe(false);

  withReadOnly(file, (reader) => {
    reader.$client.prepare('SELECT * FROM notes').all();
    expect(isOpenElsewhere(file)).toBe(true);
  });
  expect(isOpenElsewhere(file)).toBe(false);
  expect(
    withReadOnly(file, (reader) => reader.$client.prepare('SELECT * FROM notes').all()),
  ).toEqual([{ text: 'a note' }]);
});

test.each([
  ['missing', null],
  ['empty', ''],
  ['damaged', 'not a database'.repeat(99)],
])('is false for a file that is %s, and does not change it', (_what, text) => {
  if (text !== null) writeFileSync(file, text);
  expect(isOpenElsewhere(file)).toBe(false);
  if (text !== null) expect(readFileSync(file, 'utf8')).toBe(text);
});

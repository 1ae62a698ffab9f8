import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkpointWhenIdle } from './checkpoint.ts';
import { close, open } from './open.ts';

const second = 1_000;

function openNotes() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  const file = join(folder, 'site.db');
  const db = open(file, { busyTimeout: 0 });
  const errors: unknown[] = [];
  const stop = checkpointWhenIdle(db, file, (error) => errors.push(error));
  onTestFinished(() => {
    stop();
    close(db);
    rmSync(folder, { recursive: true });
    vi.useRealTimers();
  });
  db.$client.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
  return { db, file, errors, logSize: () => statSync(`${file}-wal`).size };
}

test('empties the log once nothing was written for a while', () => {
  const { db, logSize, errors } = openNotes();
  db.$client.exec("INSERT INTO notes (text) VALUES ('a secret')");
  vi.advanceTimersByTime(2 * second);
  expect(logSize()).toBeGreaterThan(0);
  vi.advanceTimersByTime(2 * second);
  expect(logSize()).toBe(0);
  expect(errors).toEqual([]);
});

test('leaves nothing of a text that was replaced, neither in the log nor in the file', () => {
  const { db, file } = openNotes();
  for (let n = 0; n < 50; n += 1) {
    db.$client.exec(`INSERT INTO notes (text) VALUES ('token=secret-${n}')`);
  }
  db.$client.exec("UPDATE notes SET text = 'used' WHERE id % 2 = 0");
  db.$client.exec('DELETE FROM notes WHERE id % 2 = 1');
  expect(readFileSync(`${file}-wal`).includes('secret-')).toBe(true);

  vi.advanceTimersByTime(4 * second);

  expect(readFileSync(`${file}-wal`).includes('secret-')).toBe(false);
  expect(readFileSync(file).includes('secret-')).toBe(false);
});

test('waits for a reader, and empties the log when it is done', () => {
  const { db, file, logSize, errors } = openNotes();
  const reader = open(file);
  onTestFinished(() => close(reader));
  db.$client.exec("INSERT INTO notes (text) VALUES ('old')");
  reader.$client.exec('BEGIN');
  reader.$client.prepare('SELECT * FROM notes').all();
  db.$client.exec("INSERT INTO notes (text) VALUES ('new')");
  vi.advanceTimersByTime(20 * second);
  expect(logSize()).toBeGreaterThan(0);

  reader.$client.exec('COMMIT');
  vi.advanceTimersByTime(2 * second);
  expect(logSize()).toBe(0);
  expect(errors).toEqual([]);
});

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCheckpoints } from './checkpoint.ts';
import { close, type Database, open } from './open.ts';
import { replicationFolder } from './write-ahead-log.ts';
import { writeTransaction } from './write-transaction.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Opens a database like the server does. */
function openNotes(file = join(makeFolder(), 'site.db'), autoCheckpoint = 1_000_000) {
  const db = open(file, { busyTimeout: 0, autoCheckpoint });
  onTestFinished(() => close(db));
  db.$client.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
  return { db, file };
}

function startOn(file: string) {
  const errors: unknown[] = [];
  const stop = startCheckpoints(file, (error) => errors.push(error), 20);
  onTestFinished(stop);
  return { errors, stop };
}

function watchThreads(): Worker[] {
  const threads: Worker[] = [];
  const onThread = (thread: Worker) => threads.push(thread);
  process.on('worker', onThread);
  onTestFinished(() => {
    process.off('worker', onThread);
  });
  return threads;
}

const running = (threads: readonly Worker[]) => threads.filter(({ threadId }) => threadId !== -1);

const logSize = (file: string): number => statSync(`${file}-wal`).size;

const waitForEmptyLog = (file: string) =>
  vi.waitFor(() => expect(logSize(file)).toBe(0), { timeout: 60_000, interval: 10 });

const insert = (db: Database, text: string, rows = 1): void => {
  const statement = db.$client.prepare('INSERT INTO notes (text) VALUES (?)');
  db.$client.transaction(() => {
    for (let row = 0; row < rows; row += 1) statement.run(text);
  })();
};

test('removes replaced text from the log and the file', async () => {
  const { db, file } = openNotes();
  for (let n = 0; n < 50; n += 1) insert(db, `token=secret-${n}`);
  db.$client.exec("UPDATE notes SET text = 'used' WHERE id % 2 = 0");
  db.$client.exec('DELETE FROM notes WHERE id % 2 = 1');
  expect(readFileSync(`${file}-wal`).includes('secret-')).toBe(true);

  const { errors } = startOn(file);
  await waitForEmptyLog(file);

  expect(readFileSync(file).includes('secret-')).toBe(false);
  expect(errors).toEqual([]);
});

test('waits for a reader before it empties the log, and blocks no writer meanwhile', async () => {
  const { db, file } = openNotes();
  const reader = open(file);
  onTestFinished(() => close(reader));
  insert(db, 'old');
  reader.$client.exec('BEGIN');
  reader.$client.prepare('SELECT * FROM notes').all();
  insert(db, 'new');
  const { errors } = startOn(file);
  const before = statSync(file).mtimeMs;
  // It has copied what the reader no longer needs in the log.
  await vi.waitFor(() => expect(statSync(file).mtimeMs).toBeGreaterThan(before), 60_000);
  expect(logSize(file)).toBeGreaterThan(0);
  for (let n = 0; n < 10; n += 1) await writeTransaction(db, () => insert(db, 'meanwhile'));
  expect(logSize(file)).toBeGreaterThan(0);

  reader.$client.exec('COMMIT');
  await waitForEmptyLog(file);
  const stored = db.$client.prepare("SELECT count(*) FROM notes WHERE text = 'meanwhile'").pluck();
  expect(stored.get()).toBe(10);
  expect(errors).toEqual([]);
});

test('ends the thread without a log, and starts it again with the next one', async () => {
  const { db, file } = openNotes();
  const threads = watchThreads();
  insert(db, 'a note');
  const { errors } = startOn(file);
  await waitForEmptyLog(file);
  await vi.waitFor(() => expect(running(threads)).toEqual([]), 60_000);

  insert(db, 'another note');
  await waitForEmptyLog(file);
  expect(threads).toHaveLength(2);
  expect(errors).toEqual([]);
});

test.each(['starts', 'waits'])(
  'a thread that %s ends by itself when it is stopped',
  async (state) => {
    const { db, file } = openNotes();
    const threads = watchThreads();
    insert(db, 'a note');
    const { errors, stop } = startOn(file);
    await vi.waitFor(() => expect(threads).toHaveLength(1), 60_000);
    const ended = once(threads[0] as Worker, 'exit');
    if (state === 'waits') await waitForEmptyLog(file);

    await stop();
    // The exit code would be 1 if it were terminated.
    expect(await ended).toEqual([0]);
    expect(errors).toEqual([]);
  },
);

test('leaves the log to Litestream', async () => {
  const { db, file } = openNotes();
  const threads = watchThreads();
  insert(db, 'a note');
  const { errors } = startOn(file);
  await waitForEmptyLog(file);

  mkdirSync(replicationFolder(file));
  insert(db, 'another note');
  const before = [logSize(file), statSync(file).mtimeMs];
  await vi.waitFor(() => expect(running(threads)).toEqual([]), 60_000);
  expect([logSize(file), statSync(file).mtimeMs]).toEqual(before);

  rmSync(replicationFolder(file), { recursive: true });
  await waitForEmptyLog(file);
  expect(errors).toEqual([]);
});

test('reports and restarts a failed thread', async () => {
  const file = join(makeFolder(), 'site.db');
  writeFileSync(`${file}-wal`, 'without its database');
  const { errors } = startOn(file);
  await vi.waitFor(() => expect(errors).not.toEqual([]), 60_000);
  expect(errors[0]).toMatchObject({ message: 'unable to open database file' });
  rmSync(`${file}-wal`);

  const { db } = openNotes(file);
  insert(db, 'a note');
  await waitForEmptyLog(file);
});

test('limits the size of the log even without the thread', () => {
  const pages = 100;
  const { db, file } = openNotes(undefined, pages);
  for (let n = 0; n < 100; n += 1) insert(db, 'x'.repeat(10_000), 10);
  const inserted = 100 * 10 * 10_000;
  expect(statSync(file).size).toBeGreaterThan(inserted * 0.9);
  expect(logSize(file)).toBeLessThan(2 * pages * 4_096);
});

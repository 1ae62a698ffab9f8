import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from './migrate.ts';
import { close, open } from './open.ts';
import { serverSecrets as secrets } from './schema/server.ts';
import { sharedCommit } from './shared-commit.ts';
import { whenUnlocked, writeIfPossible, writeTransaction } from './write-transaction.ts';

function makeDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'db-'));
  const file = join(folder, 'site.db');
  const db = open(file, { busyTimeout: 0 });
  migrate(db);
  const other = open(file).$client;
  onTestFinished(() => {
    close(db);
    other.close();
    rmSync(folder, { recursive: true });
  });
  const insert = (name: string) => db.insert(secrets).values({ name, value: '' }).run();
  const names = () =>
    db
      .select()
      .from(secrets)
      .all()
      .map(({ name }) => name);
  return { db, other, insert, names };
}

const writers = ['writeTransaction', 'sharedCommit', 'whenUnlocked'] as const;

function makeWriter(writer: (typeof writers)[number]) {
  const { db, other, insert, names } = makeDatabase();
  const work = vi.fn(() => insert('a'));
  const write = (): Promise<unknown> => {
    switch (writer) {
      case 'writeTransaction':
        return writeTransaction(db, work);
      case 'sharedCommit':
        return sharedCommit(db, work);
      case 'whenUnlocked':
        return whenUnlocked(db, work);
    }
  };
  return { other, work, write, names };
}

test.each(writers)(
  '%s waits for another process without blocking, and then writes',
  async (writer) => {
    const { other, write, names } = makeWriter(writer);
    other.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks === 20) other.exec('ROLLBACK');
    }, 5);
    onTestFinished(() => clearInterval(ticking));

    await write();
    expect(ticks).toBeGreaterThanOrEqual(20);
    expect(names()).toEqual(['a']);
  },
);

test.each(writers)('%s gives up after two seconds without writing', async (writer) => {
  const { other, write, names } = makeWriter(writer);
  // The jitter makes each pause half to one and a half times as long: this makes it zero.
  const pauses = vi.spyOn(Math, 'random').mockReturnValue(-0.5);
  other.exec('BEGIN IMMEDIATE');

  await expect(write()).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  // 10, 20, 40 and 80 ms, then 100 ms each.
  expect(pauses).toHaveBeenCalledTimes(23);
  other.exec('ROLLBACK');
  expect(names()).toEqual([]);
});

test('an error in the work rolls back without a retry', async () => {
  const { db, insert, names } = makeDatabase();
  const work = vi.fn(() => {
    insert('a');
    insert('a');
  });
  await expect(writeTransaction(db, work)).rejects.toThrow();
  expect(work).toHaveBeenCalledOnce();
  expect(names()).toEqual([]);
});

test('skips a side effect of a read while the database is not writable', () => {
  const { other, insert, names } = makeDatabase();
  other.exec('BEGIN IMMEDIATE');
  writeIfPossible(() => insert('a'));
  other.exec('ROLLBACK');
  expect(names()).toEqual([]);
  writeIfPossible(() => insert('b'));
  expect(names()).toEqual(['b']);
  expect(() => writeIfPossible(() => insert('b'))).toThrow();
});

import { expect, onTestFinished, test } from 'vitest';
import { atomic } from './atomic.ts';
import { insertRow } from './insert-row.ts';
import { migrate } from './migrate.ts';
import { close, open } from './open.ts';
import { contactSubmissions as submissions } from './schema/contact.ts';

function makeDatabase() {
  const db = open(':memory:');
  onTestFinished(() => close(db));
  migrate(db);
  return db;
}

const row = (id: string, quarantinedFor: string[] | null = null) => ({
  id,
  name: 'Ann',
  email: 'ann@example.com',
  phone: '',
  company: '',
  message: 'It drips.',
  service: 'betty',
  quarantinedFor,
  createdAt: 1,
});

test('rows are written as Drizzle reads them, whichever came before', async () => {
  const db = makeDatabase();
  const rows = [row('1'), row('2', ['many links']), row('3')];
  const [result] = await atomic(db, [
    insertRow(db, submissions, row('1')),
    insertRow(db, submissions, row('2', ['many links'])),
    insertRow(db, submissions, row('3')),
  ]);
  expect(result).toMatchObject({ changes: 1 });
  expect(await db.select().from(submissions)).toEqual(rows);
});

test('one that is awaited runs by itself, and not before', async () => {
  const db = makeDatabase();
  const statement = insertRow(db, submissions, row('1'));
  expect(await db.select().from(submissions)).toEqual([]);
  expect(await statement).toMatchObject({ changes: 1 });
  expect(await db.select().from(submissions)).toEqual([row('1')]);
  await expect(insertRow(db, submissions, row('1'))).rejects.toThrow('UNIQUE constraint failed');
});

test('each database has its own', async () => {
  const [one, other] = [makeDatabase(), makeDatabase()];
  await insertRow(one, submissions, row('1'));
  await insertRow(other, submissions, row('2'));
  expect(await one.select().from(submissions)).toEqual([row('1')]);
  expect(await other.select().from(submissions)).toEqual([row('2')]);
});

import { expect, onTestFinished, test } from 'vitest';
import { insertRow } from './insert-row.ts';
import { migrate } from './migrate.ts';
import { close, open } from './open.ts';
import { contactSubmissions as submissions } from './schema/forms/contact.ts';

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
  for (const one of rows) expect(insertRow(db, submissions, one)).toMatchObject({ changes: 1 });
  expect(await db.select().from(submissions)).toEqual(rows);
});

test('it belongs to the transaction that is open', async () => {
  const db = makeDatabase();
  const failing = () =>
    db.transaction(() => {
      insertRow(db, submissions, row('1'));
      insertRow(db, submissions, row('1'));
    });
  expect(failing).toThrow('UNIQUE constraint failed');
  expect(await db.select().from(submissions)).toEqual([]);
});

test('each database has its own', async () => {
  const [one, other] = [makeDatabase(), makeDatabase()];
  insertRow(one, submissions, row('1'));
  insertRow(other, submissions, row('2'));
  expect(await one.select().from(submissions)).toEqual([row('1')]);
  expect(await other.select().from(submissions)).toEqual([row('2')]);
});

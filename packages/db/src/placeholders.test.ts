import { getTableColumns, isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { placeholders } from './placeholders.ts';
import { contactSubmissions as submissions } from './schema/forms/contact.ts';
import { databaseKinds, openTestDatabaseOn } from './testing/database-kinds.ts';

/** A row whose other columns contain their own names. */
const row = (id: string, spamSignals: string[] | null) => ({
  ...Object.fromEntries(Object.keys(getTableColumns(submissions)).map((name) => [name, name])),
  id,
  spamSignals,
  createdAt: 1,
});

test.each(databaseKinds)(
  'on %s, a prepared insert writes rows as Drizzle reads them, and runs in the open transaction',
  async (kind) => {
    const db = await openTestDatabaseOn(kind);
    const insert = db.insert(submissions).values(placeholders(submissions)).prepare();
    const rows = [row('1', null), row('2', ['many links']), row('3', null)];

    db.transaction(() => {
      for (const one of rows) insert.run(one);
    });
    const failing = () =>
      db.transaction(() => {
        insert.run(row('4', null));
        insert.run(row('4', null));
      });

    expect(failing).toThrow('UNIQUE constraint failed');
    expect(db.select().from(submissions).all()).toEqual(rows);
    const delivered = db.select().from(submissions).where(isNull(submissions.spamSignals)).all();
    expect(delivered.map(({ id }) => id)).toEqual(['1', '3']);
  },
);

import { expect, onTestFinished, test } from 'vitest';
import { migrate } from './migrate.ts';
import { close, open } from './open.ts';

/** These tables stay small, because their rows expire within minutes. */
const shortLived = ['oauth_attempts', 'pending_identity_links'];

test('finds rows that refer to a deleted row without scanning their table', () => {
  const db = open(':memory:');
  onTestFinished(() => close(db));
  migrate(db);
  const keys = db.$client
    .prepare<[], { name: string; columns: string }>(
      `SELECT tables.name, group_concat('"' || keys."from" || '" = ?', ' AND ') AS columns
       FROM pragma_table_list tables, pragma_foreign_key_list(tables.name) keys
       WHERE tables.schema = 'main' GROUP BY tables.name, keys.id`,
    )
    .all();
  expect(keys.length).toBeGreaterThan(20);
  const scans = keys.filter(({ name, columns }) => {
    const plan = db.$client
      .prepare<string[], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT rowid FROM "${name}" WHERE ${columns}`,
      )
      .all(...columns.split(' AND ').map(() => 'id'));
    return plan.some(({ detail }) => detail.startsWith('SCAN'));
  });
  expect(scans.map(({ name }) => name).sort()).toEqual(shortLived);
});

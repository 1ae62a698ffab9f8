import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { close } from './open.ts';
import {
  type MigratedRow,
  migratedRowsFile,
  openEarlierDatabase,
  rowsAfterMigration,
  unfilledColumns,
} from './testing/earlier-data.ts';
import { migrationTags } from './testing/other-versions.ts';

/** After a failure, `pnpm db:fixture` writes this file again, and its diff shows what changed. */
const recorded = readFileSync(migratedRowsFile, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as MigratedRow);

/** Sums change when a later schema adds rows. */
const isNotReplaced = ({ table, row }: MigratedRow, index: number, all: MigratedRow[]): boolean =>
  table !== 'blog_history_sizes' ||
  !all.slice(index + 1).some((one) => one.table === table && one.row['user_id'] === row['user_id']);

test.each(migrationTags)('migrates data of %s to the newest schema', (schema) => {
  const position = migrationTags.indexOf(schema);
  const expected = recorded
    .filter(({ since }) => migrationTags.indexOf(since) <= position)
    .filter(isNotReplaced)
    .map(({ table, row }) => ({ table, row }));
  const rows = rowsAfterMigration(schema);
  expect(rows).toHaveLength(expected.length);
  expect(rows).toEqual(expect.arrayContaining(expected));
});

test('each column has a value in rows of some schema (add them with pnpm db:fixture)', () => {
  const db = openEarlierDatabase(':memory:', migrationTags.at(-1) ?? '');
  onTestFinished(() => close(db));
  expect(unfilledColumns(db)).toEqual({});
});

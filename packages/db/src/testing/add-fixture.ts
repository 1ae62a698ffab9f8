import { existsSync, writeFileSync } from 'node:fs';
import { close, type Database } from '../open.ts';
import {
  columnsOf,
  fixtureOf,
  migratedRows,
  migratedRowsFile,
  openEarlierDatabase,
  unfilledColumns,
} from './earlier-data.ts';
import { migrationTags } from './other-versions.ts';

/**
 * `pnpm db:fixture`, after `pnpm db:generate`: writes rows for tables and columns that have no
 * values yet, and all rows as they are after migration to the newest schema.
 */
function addFixture(): void {
  const newest = migrationTags.at(-1) ?? '';
  const file = fixtureOf(newest);
  const db = openEarlierDatabase(':memory:', newest);
  const unfilled = Object.entries(unfilledColumns(db));
  if (unfilled.length > 0) {
    if (existsSync(file)) {
      const names = unfilled.map(([table, columns]) => `  ${table}: ${columns.join(', ')}\n`);
      process.stderr.write(`Add rows to ${file} that have values in these columns:\n`);
      process.stderr.write(names.join(''));
      process.exit(1);
    }
    const rows = unfilled.map((each) => insertInto(db, ...each)).join('');
    db.$client.exec(rows);
    writeFileSync(file, rows);
    process.stdout.write(`Wrote ${file}: make its values realistic, then run this again.\n`);
  }
  close(db);
  const lines = migratedRows().map((row) => `${JSON.stringify(row)}\n`);
  writeFileSync(migratedRowsFile, lines.join(''));
  process.stdout.write(`Wrote ${migratedRowsFile}: read what changed.\n`);
}

/** A row with values in these columns and the required ones. */
function insertInto(db: Database, table: string, unfilled: readonly string[]): string {
  const columns = columnsOf(db, table).filter(
    ({ name, isRequired }) => isRequired || unfilled.includes(name),
  );
  const values = columns.map(({ name, type, refersTo }) => {
    if (refersTo) return `(SELECT "${refersTo.to}" FROM "${refersTo.table}" LIMIT 1)`;
    return type.toLowerCase() === 'integer' ? '2' : `'${table} ${name}'`;
  });
  const names = columns.map(({ name }) => `"${name}"`);
  return `INSERT INTO "${table}" (${names.join(', ')}) VALUES\n  (${values.join(', ')});\n`;
}

addFixture();

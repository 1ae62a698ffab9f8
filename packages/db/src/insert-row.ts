import type { RunResult, Statement } from 'better-sqlite3';
import { getTableColumns, type InferSelectModel, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open.ts';

const prepared = new WeakMap<Database, WeakMap<SQLiteTable, (row: object) => RunResult>>();

/**
 * Inserts a whole row at once, in the transaction that is open. Drizzle writes the SQL of each
 * insert anew and has SQLite compile it, which takes longer than to run it; this does both once
 * for each table.
 */
export function insertRow<T extends SQLiteTable>(
  db: Database,
  table: T,
  row: InferSelectModel<T>,
): RunResult {
  let ofDatabase = prepared.get(db);
  if (!ofDatabase) {
    ofDatabase = new WeakMap();
    prepared.set(db, ofDatabase);
  }
  let insert = ofDatabase.get(table);
  if (!insert) {
    insert = prepare(db, table);
    ofDatabase.set(table, insert);
  }
  return insert(row);
}

function prepare(db: Database, table: SQLiteTable): (row: object) => RunResult {
  const columns = Object.entries(getTableColumns(table));
  // Drizzle writes the columns in the table's own order, which is that of the values.
  const placeholders = columns.map(([name]) => [name, sql.placeholder(name)]);
  const { sql: text } = db.insert(table).values(Object.fromEntries(placeholders)).toSQL();
  const statement: Statement<unknown[]> = db.$client.prepare(text);
  return (row) =>
    statement.run(
      columns.map(([name, column]) => {
        const value = (row as Record<string, unknown>)[name];
        return value === null ? null : column.mapToDriverValue(value);
      }),
    );
}

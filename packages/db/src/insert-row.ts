import type { RunResult, Statement } from 'better-sqlite3';
import { getTableColumns, type InferSelectModel, sql } from 'drizzle-orm';
import { QueryPromise } from 'drizzle-orm/query-promise';
import type { RunnableQuery } from 'drizzle-orm/runnable-query';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open.ts';

const prepared = new WeakMap<Database, WeakMap<SQLiteTable, (row: object) => () => RunResult>>();

/**
 * The statement that inserts a whole row: for `atomic`, or to be awaited, as one of Drizzle's.
 * Drizzle writes the SQL of each insert anew and has SQLite compile it, which takes longer than
 * to run it; this does both once for each table.
 */
export function insertRow<T extends SQLiteTable>(
  db: Database,
  table: T,
  row: InferSelectModel<T>,
): RowInsert {
  let ofDatabase = prepared.get(db);
  if (!ofDatabase) {
    ofDatabase = new WeakMap();
    prepared.set(db, ofDatabase);
  }
  let bind = ofDatabase.get(table);
  if (!bind) {
    bind = prepare(db, table);
    ofDatabase.set(table, bind);
  }
  return new RowInsert(bind(row));
}

function prepare(db: Database, table: SQLiteTable): (row: object) => () => RunResult {
  const columns = Object.entries(getTableColumns(table));
  // Drizzle writes the columns in the table's own order, which is that of the values.
  const placeholders = columns.map(([name]) => [name, sql.placeholder(name)]);
  const { sql: text } = db.insert(table).values(Object.fromEntries(placeholders)).toSQL();
  const statement: Statement<unknown[]> = db.$client.prepare(text);
  return (row) => {
    const values = columns.map(([name, column]) => {
      const value = (row as Record<string, unknown>)[name];
      return value === null ? null : column.mapToDriverValue(value);
    });
    return () => statement.run(values);
  };
}

class RowInsert extends QueryPromise<RunResult> implements RunnableQuery<RunResult, 'sqlite'> {
  declare readonly _: { readonly dialect: 'sqlite'; readonly result: RunResult };
  readonly #run: () => RunResult;

  constructor(run: () => RunResult) {
    super();
    this.#run = run;
  }

  override async execute(): Promise<RunResult> {
    return this.#run();
  }

  /** What `atomic` asks of a statement. */
  _prepare() {
    return { execute: () => ({ sync: this.#run }) };
  }
}

import type SqliteClient from 'better-sqlite3';

/** What a row contains; integers are `bigint`, so that none loses digits. */
export type Value = bigint | number | string | Buffer | null;

/** A table, or a full-text index, which is copied like one. */
export interface CopiedTable {
  name: string;
  /** The column of integers that identify rows: `rowid` or its alias. */
  key: string;
  /** All except the key. */
  columns: string[];
}

/** Each database has its own contents of these. */
const excluded = ['__drizzle_migrations', 'database_moves'];

const quoted = (name: string): string => `"${name}"`;

/** Sorted by name. */
export function copiedTables(client: SqliteClient.Database): CopiedTable[] {
  const names = client
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list AS list JOIN sqlite_schema USING (name)
       WHERE list.schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND (list.type = 'table' OR list.type = 'virtual' AND sql LIKE '%USING fts5(%') ORDER BY name`,
    )
    .pluck()
    .all();
  return names.filter((name) => !excluded.includes(name)).map((name) => tableOf(client, name));
}

function tableOf(client: SqliteClient.Database, name: string): CopiedTable {
  const columns = client
    .prepare<[string], { name: string; type: string; pk: number }>(
      'SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid',
    )
    .all(name);
  const keys = columns.filter(({ pk }) => pk > 0);
  // sqlite.org/lang_createtable.html#rowid
  const [alias] = keys.length === 1 ? keys.filter(({ type }) => /^integer$/i.test(type)) : [];
  return {
    name,
    key: alias?.name ?? 'rowid',
    columns: columns.map((column) => column.name).filter((column) => column !== alias?.name),
  };
}

export const columnList = ({ key, columns }: CopiedTable): string =>
  [key, ...columns].map(quoted).join(', ');

/** Reads from a file. The rows are in the order of their keys, each with its key first. */
export function rowsOf(client: SqliteClient.Database, table: CopiedTable): Iterator<Value[]> {
  const { name, key } = table;
  return client
    .prepare<[], Value[]>(
      `SELECT ${columnList(table)} FROM ${quoted(name)} ORDER BY ${quoted(key)}`,
    )
    .raw()
    .safeIntegers()
    .iterate();
}

/** The last ids that `AUTOINCREMENT` has assigned: ids of deleted rows are never assigned again. */
export const sequencesOf = (client: SqliteClient.Database): { name: string; seq: bigint }[] =>
  client
    .prepare<[], { name: string; seq: bigint }>(
      'SELECT name, seq FROM sqlite_sequence ORDER BY name',
    )
    .safeIntegers()
    .all();

import SqliteClient from 'better-sqlite3';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Reads a file that another process may have open. */
function readFileWith<T>(file: string, read: (client: SqliteClient.Database) => T): T {
  const client = new SqliteClient(file, { readonly: true, fileMustExist: true });
  try {
    return read(client);
  } finally {
    client.close();
  }
}

/**
 * SQL that replaces the rows of a database with those of another one of the same schema, or deletes
 * them without a source. The list of applied migrations stays.
 */
export function scriptOfRows(target: string, source: string | null): string {
  const { triggers, clear } = readFileWith(target, (client) => ({
    triggers: triggersOf(client),
    clear: clearingScript(client),
  }));
  return [
    // Triggers would write rows that are inserted below.
    ...triggers.map(({ name }) => `DROP TRIGGER ${quoted(name)}`),
    ...clear,
    ...(source === null ? [] : readFileWith(source, insertingScript)),
    ...triggers.map(({ sql }) => sql),
  ]
    .map((statement) => `${statement};\n`)
    .join('');
}

function clearingScript(client: SqliteClient.Database): string[] {
  const isUsed = (table: string): boolean =>
    client.prepare(`SELECT 1 FROM ${quoted(table)} LIMIT 1`).get() !== undefined;
  return [
    ...[...tablesOf(client), ...searchTablesOf(client)]
      .filter(isUsed)
      .map((table) => `DELETE FROM ${quoted(table)}`),
    // Otherwise, traces of deleted texts would stay in the index.
    ...searchTablesOf(client).map(
      (table) => `INSERT INTO ${quoted(table)} (${quoted(table)}) VALUES ('rebuild')`,
    ),
  ];
}

const insertingScript = (client: SqliteClient.Database): string[] => [
  ...tablesOf(client).flatMap((table) => insertsOf(client, table, [])),
  ...searchTablesOf(client).flatMap((table) => insertsOf(client, table, ['rowid'])),
];

function insertsOf(client: SqliteClient.Database, table: string, others: string[]): string[] {
  const columns = [...others, ...columnsOf(client, table)].map(quoted);
  const values = columns.map((column) => `quote(${column})`).join(` || ', ' || `);
  return client
    .prepare<[], string>(`SELECT ${values} FROM ${quoted(table)}`)
    .pluck()
    .all()
    .map((row) => `INSERT INTO ${quoted(table)} (${columns.join(', ')}) VALUES (${row})`);
}

const columnsOf = (client: SqliteClient.Database, table: string): string[] =>
  client.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);

/** Without virtual tables and the tables in which they are stored. */
const tablesOf = (client: SqliteClient.Database): string[] =>
  client
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'",
    )
    .pluck()
    .all();

const searchTablesOf = (client: SqliteClient.Database): string[] =>
  client
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING fts5(%'")
    .pluck()
    .all();

const triggersOf = (client: SqliteClient.Database): { name: string; sql: string }[] =>
  client
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
    )
    .all();

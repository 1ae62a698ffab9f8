import { statSync } from 'node:fs';
import SqliteClient from 'better-sqlite3';
import journal from '../migrations/meta/_journal.json' with { type: 'json' };

export type DatabaseState =
  | { state: 'missing' }
  /** No tables. */
  | { state: 'empty' }
  /** Only rows that a server writes without any user. */
  | { state: 'unused' }
  | { state: 'inUse' }
  | { state: 'newer' }
  /** Another program's database. */
  | { state: 'foreign'; tables: string[] }
  /** Not an SQLite file, or its schema cannot be read. */
  | { state: 'damaged'; reason: string };

/** The time of the newest migration of this version, in milliseconds since 1970. */
export const newestSchema = Math.max(...journal.entries.map(({ when }) => when));

const ownTables = [
  '__drizzle_migrations',
  'server_secrets',
  'rate_limits',
  'database_moves',
  'leases',
];

/**
 * Inspects a file before it is opened for writing, which would create a missing file, delete the
 * write-ahead log of an empty one, and change another program's database.
 * @param busyTimeout how long to block the thread for another process's lock, in milliseconds
 * @throws SQLite's error if an existing file cannot be read
 */
export function inspectDatabase(file: string, busyTimeout = 5_000): DatabaseState {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return { state: 'missing' };
  if (size === 0) return { state: 'empty' };
  const client = new SqliteClient(file, {
    ...{ readonly: true, fileMustExist: true },
    timeout: busyTimeout,
  });
  try {
    return inspectTables(client);
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw error;
    return { state: 'damaged', reason: inOneLine(message) };
  } finally {
    client.close();
  }
}

/** SQLite's messages can quote the schema, with its line breaks. */
const inOneLine = (message: string): string => message.replace(/\s+/g, ' ');

/** Reads every page. Null if the database is intact. */
export function firstDamage(
  client: SqliteClient.Database,
  check: 'integrity_check' | 'quick_check',
): string | null {
  const result = String(client.pragma(`${check}(1)`, { simple: true }));
  return result === 'ok' ? null : inOneLine(result);
}

/** Like `inspectDatabase`, for an open database. */
export function inspectTables(client: SqliteClient.Database): DatabaseState {
  const tables = listTables(client);
  if (tables.length === 0) return { state: 'empty' };

  // Migrations are identified by their time in milliseconds.
  const applied = tables.includes('__drizzle_migrations')
    ? client.prepare<[], number>('SELECT created_at FROM __drizzle_migrations').pluck().all()
    : [];
  const known = journal.entries.map(({ when }) => when);
  if (!applied.some((when) => known.includes(when))) return { state: 'foreign', tables };
  if (Math.max(...applied) > newestSchema) return { state: 'newer' };

  const isUsed = tables
    .filter((name) => !ownTables.includes(name))
    .some((name) => client.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
  return { state: isUsed ? 'inUse' : 'unused' };
}

/** Sorted, without SQLite's own tables and those of full-text indexes. */
export const listTables = (client: SqliteClient.Database): string[] =>
  client
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all();

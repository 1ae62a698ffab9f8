import { statSync } from 'node:fs';
import SqliteClient from 'better-sqlite3';
import journal from '../migrations/meta/_journal.json' with { type: 'json' };

export type DatabaseState =
  | { state: 'missing' }
  /** A file without any table: of zero bytes, or made and never migrated. */
  | { state: 'empty' }
  /** The tables of a site, and nothing in them but what a server writes by itself. */
  | { state: 'unused' }
  | { state: 'inUse' }
  /** Written by a newer version of this program. */
  | { state: 'newer' }
  /** The tables are another program's. */
  | { state: 'foreign'; tables: string[] }
  /** No SQLite file, or one whose schema cannot be read. */
  | { state: 'damaged'; reason: string };

/** Tables that a server fills without anybody using the site. */
const ownTables = ['__drizzle_migrations', 'server_secrets', 'rate_limits'];

/**
 * Says what a file is before anything opens it for writing: opening creates a file that is
 * missing, deletes the write-ahead log of an empty one, and changes another program's.
 * @throws SQLite's error when the file is there and cannot be read at all
 */
export function inspectDatabase(file: string): DatabaseState {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return { state: 'missing' };
  if (size === 0) return { state: 'empty' };
  const client = new SqliteClient(file, { readonly: true, fileMustExist: true });
  try {
    return inspectTables(client);
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw error;
    return { state: 'damaged', reason: message };
  } finally {
    client.close();
  }
}

function inspectTables(client: SqliteClient.Database): DatabaseState {
  const tables = listTables(client);
  if (tables.length === 0) return { state: 'empty' };

  // When each migration was made, in milliseconds, which is how they are told apart.
  const applied = tables.includes('__drizzle_migrations')
    ? client.prepare<[], number>('SELECT created_at FROM __drizzle_migrations').pluck().all()
    : [];
  const known = journal.entries.map(({ when }) => when);
  if (!applied.some((when) => known.includes(when))) return { state: 'foreign', tables };
  if (Math.max(...applied) > Math.max(...known)) return { state: 'newer' };

  const isUsed = tables
    .filter((name) => !ownTables.includes(name))
    .some((name) => client.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
  return { state: isUsed ? 'inUse' : 'unused' };
}

/** The tables of a database in the order of their names, without SQLite's own. */
export const listTables = (client: SqliteClient.Database): string[] =>
  client
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all();

import { getTableColumns, type Placeholder, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/**
 * A placeholder for every column, for the `.values()` of an insert that is prepared once. Building
 * and compiling an insert each time takes six times as long as running a prepared one (65 against
 * 10 µs for a contact message).
 */
export const placeholders = <T extends SQLiteTable>(table: T) =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map((name) => [name, sql.placeholder(name)]),
  ) as { [Name in keyof T['_']['columns']]: Placeholder };

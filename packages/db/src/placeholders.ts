import { getTableColumns, type Placeholder, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** For prepared inserts, which take 10 µs instead of 65 for a contact message. */
export const placeholders = <T extends SQLiteTable>(table: T) =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map((name) => [name, sql.placeholder(name)]),
  ) as { [Name in keyof T['_']['columns']]: Placeholder };

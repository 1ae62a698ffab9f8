import type { Database } from './open.ts';

/**
 * Prepares statements once per connection, because preparing takes longer than running. They run
 * in the connection's open transaction.
 */
export function preparedStatements<T>(prepare: (db: Database) => T): (db: Database) => T {
  const prepared = new WeakMap<Database, { statements: T }>();
  return (db) => {
    const known = prepared.get(db) ?? { statements: prepare(db) };
    prepared.set(db, known);
    return known.statements;
  };
}

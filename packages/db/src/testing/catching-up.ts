import type SqliteClient from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Database } from '../open.ts';
import { ReplicaStatement } from '../replica/statement.ts';

/**
 * A second `Database` of the same connection, which catches up before and after each statement.
 * @param catchUp blocks until the connection can read all commits
 */
export const catchingUp = (db: Database, catchUp: () => void): Database =>
  drizzle({ client: wrap(db.$client as SqliteClient.Database, catchUp) });

function wrap<T extends object>(target: T, catchUp: () => void): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? wrap(value.bind(target), catchUp) : value;
    },
    apply(_target, _this, args) {
      catchUp();
      const result: unknown = (target as (...args: unknown[]) => unknown)(...args);
      catchUp();
      // `transaction` returns a function.
      const runsLater = result instanceof ReplicaStatement || typeof result === 'function';
      return runsLater ? wrap(result, catchUp) : result;
    },
  });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type SqliteClient from 'better-sqlite3';

/** In milliseconds. Callers add what they measure themselves. */
export interface TimeSpent {
  database: number;
  [other: string]: number;
}

/** Where the database adds its time, for callers that want to know it. */
export const timeSpent = new AsyncLocalStorage<TimeSpent | undefined>();

/** @param began by `performance.now()` */
export function addDatabaseTime(began: number): void {
  const spent = timeSpent.getStore();
  if (spent) spent.database += performance.now() - began;
}

type Call = (...args: never[]) => unknown;

/** Measures synchronous calls, each of them once if they are nested. */
function createMeasure() {
  let isMeasuring = false;
  return <C extends Call>(call: C): C =>
    ((...args) => {
      if (isMeasuring || timeSpent.getStore() === undefined) return call(...args);
      isMeasuring = true;
      const began = performance.now();
      try {
        return call(...args);
      } finally {
        isMeasuring = false;
        addDatabaseTime(began);
      }
    }) as C;
}

interface Parts {
  client: SqliteClient.Database;
  db: { transaction: Call };
}

/** Measures statements and transactions. */
export function measureTime({ client, db }: Parts): void {
  const measure = createMeasure();
  const prepare = client.prepare.bind(client) as (source: string) => SqliteClient.Statement;
  client.prepare = ((source: string) => {
    const statement = prepare(source);
    statement.run = measure(statement.run.bind(statement));
    statement.get = measure(statement.get.bind(statement));
    statement.all = measure(statement.all.bind(statement));
    return statement;
  }) as typeof client.prepare;
  db.transaction = measure(db.transaction.bind(db));
}

import SqliteClient from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { isFullRun } from '../testing/full-run.ts';
import { describeOnServer } from '../testing/sqld.ts';
import { openTestReplica, startTestSqld } from '../testing/test-replica.ts';

const schema = `
  DROP TABLE IF EXISTS notes;
  DROP TABLE IF EXISTS people;
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
  CREATE TABLE notes (id INTEGER PRIMARY KEY, any, number REAL, size INTEGER, words TEXT,
    person INTEGER REFERENCES people (id) ON DELETE CASCADE);
  CREATE TRIGGER added AFTER INSERT ON people
    BEGIN INSERT INTO notes (words) VALUES (new.name), ('added'); END;
`;

/** Without -0, which JSON lacks, and large REALs, which SQLite 3.45 prints with fewer digits. */
const valid: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, undefined, '', 'a\0b', '\ud800', 0, 1.5, -1e300, Number.NaN),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);
const refused = fc.constantFrom<unknown>(true, new Date(0), 2n ** 70n, Symbol('no'), () => 1);
const value = fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: refused });
const name = fc.constantFrom('Ann', 'Bob', 'Cleo', null);
const id = fc.integer({ min: 1, max: 6 });

interface Execution {
  sql: string;
  method: 'run' | 'get' | 'all';
  mode: 'object' | 'raw' | 'pluck';
  parameters: unknown[];
  isInTransaction: boolean;
}

const execution = (
  method: Execution['method'],
  sql: string,
  ...parameters: fc.Arbitrary<unknown>[]
): fc.Arbitrary<Execution> =>
  fc.record({
    sql: fc.constant(sql),
    method: fc.constant(method),
    mode: fc.constantFrom('object', 'raw', 'pluck'),
    parameters: fc.tuple(...parameters),
    isInTransaction: fc.boolean(),
  });

const executions = fc.array(
  fc.oneof(
    execution(
      'run',
      'INSERT INTO notes (any, number, size, words) VALUES (?, ?, ?, ?)',
      ...[value, value, value, value],
    ),
    execution('run', 'INSERT INTO people (name) VALUES (?)', name),
    execution('all', 'INSERT INTO people (name) VALUES (?), (?) RETURNING id, name', name, name),
    execution('run', 'INSERT INTO people (name) VALUES (?) ON CONFLICT DO NOTHING', name),
    execution('run', 'INSERT INTO notes (person, any) VALUES (?, ?)', id, value),
    execution('run', 'UPDATE notes SET any = ?, size = size + 1', value),
    execution('run', 'DELETE FROM people WHERE id = ?', id),
    execution('all', 'SELECT * FROM notes WHERE id >= ? ORDER BY id', id),
    execution('get', 'SELECT *, typeof(any), typeof(size), count(*) OVER () FROM notes'),
    execution('get', 'SELECT ?, ? AS x, 1 AS x', value, value),
    execution('get', 'SELECT name FROM people WHERE name = ?', name),
    // Too few and too many parameters, the wrong method, and a missing table.
    execution('all', 'SELECT name FROM people WHERE name = ?'),
    execution('all', 'SELECT 1', id),
    execution('get', 'DELETE FROM notes WHERE 0'),
    execution('run', 'SELECT 1'),
    execution('all', 'SELECT * FROM missing'),
  ),
  { maxLength: 12 },
);

function outcomeOf(client: SqliteClient.Database, execution: Execution): unknown {
  const { sql, method, mode, parameters, isInTransaction } = execution;
  const execute = () => {
    const statement = client.prepare(sql);
    if (/^SELECT|RETURNING/.test(sql)) {
      if (mode === 'raw') statement.raw();
      if (mode === 'pluck') statement.pluck();
    }
    const result = statement[method](...parameters);
    if (method !== 'run') return result;
    const { changes, lastInsertRowid } = result as SqliteClient.RunResult;
    // For other statements, better-sqlite3 repeats the id of an earlier insert.
    return sql.startsWith('INSERT') && changes > 0 ? { changes, lastInsertRowid } : { changes };
  };
  try {
    return isInTransaction ? client.transaction(execute).immediate() : execute();
  } catch (error) {
    const { name: kind, message, code } = error as Error & { code?: string };
    return { kind, message, code };
  }
}

describeOnServer('a libSQL server', () => {
  test('statements return and throw what better-sqlite3 does', async () => {
    const { url } = await startTestSqld();
    const replica = await openTestReplica({ url });
    const remote = replica.db.$client;
    const local = new SqliteClient(':memory:');
    onTestFinished(() => void local.close());

    const property = fc.asyncProperty(executions, async (list) => {
      for (const client of [local, remote]) client.exec(schema);
      await replica.caughtUp();
      for (const each of list) {
        expect(outcomeOf(remote, each), each.sql).toEqual(outcomeOf(local, each));
        // Then reads outside of transactions see the change.
        expect(await replica.caughtUp()).toBe(true);
      }
    });
    await fc.assert(property, { numRuns: isFullRun ? 1_000 : 20 });
  });
});

import type SqliteClient from 'better-sqlite3';
import type { Database } from '../open.ts';
import { type CopiedTable, columnList, rowsOf, type Value } from './tables.ts';

/** Per statement. libSQL servers accept up to 4 MB. */
const maxStatementBytes = 1_000_000;
const maxStatementRows = 500;
/** Per statement. SQLite allows 32,766 (sqlite.org/limits.html). */
const maxParameters = 30_000;
/** Per transaction, which blocks the thread. */
const maxTransactionBytes = 4_000_000;

interface Statement {
  sql: string;
  parameters: Value[];
  /** The number of rows that it inserts. */
  rows: number;
  bytes: number;
}

/** Keys of rows to delete from the destination, and of rows to insert. */
interface Difference {
  lost: bigint[];
  gained: bigint[];
}

/**
 * Makes a table equal to that of the source. Only writes what differs.
 * @param destination a file with the contents of `db`
 * @param db has no triggers and does not enforce foreign keys
 * @returns yields the number of written rows after each transaction
 */
export function* copyRows(
  table: CopiedTable,
  source: SqliteClient.Database,
  destination: SqliteClient.Database,
  db: Database,
): Generator<number> {
  const { lost, gained } = differenceOf(rowsOf(source, table), rowsOf(destination, table));
  // Deletes first, because a new row can have the unique values of a deleted one.
  yield* write(db, deletions(table, lost));
  yield* write(db, insertions(table, source, gained));
}

/** After the largest key. */
const end = 2n ** 63n;

function differenceOf(source: Iterator<Value[]>, destination: Iterator<Value[]>): Difference {
  const lost: bigint[] = [];
  const gained: bigint[] = [];
  let wanted = nextRow(source);
  let present = nextRow(destination);
  while (wanted.key !== end || present.key !== end) {
    const isSame = wanted.key === present.key;
    const isChanged = isSame && !isEqual(wanted.values, present.values);
    if (isChanged || present.key < wanted.key) lost.push(present.key);
    if (isChanged || wanted.key < present.key) gained.push(wanted.key);
    const isWantedFirst = wanted.key <= present.key;
    if (isSame || !isWantedFirst) present = nextRow(destination);
    if (isWantedFirst) wanted = nextRow(source);
  }
  return { lost, gained };
}

function nextRow(rows: Iterator<Value[]>): { key: bigint; values: Value[] } {
  const { done, value: values } = rows.next();
  return done ? { key: end, values: [] } : { key: values[0] as bigint, values };
}

const isEqual = (one: Value[], other: Value[]): boolean =>
  one.every((value, index) => {
    const compared = other[index];
    if (!Buffer.isBuffer(value)) return value === compared;
    return Buffer.isBuffer(compared) && value.equals(compared);
  });

function* deletions({ name, key }: CopiedTable, keys: bigint[]): Generator<Statement> {
  for (let at = 0; at < keys.length; at += maxStatementRows) {
    const parameters = keys.slice(at, at + maxStatementRows);
    const placeholders = parameters.map(() => '?').join();
    yield {
      sql: `DELETE FROM "${name}" WHERE "${key}" IN (${placeholders})`,
      parameters,
      rows: 0,
      bytes: 8 * parameters.length,
    };
  }
}

function* insertions(
  table: CopiedTable,
  source: SqliteClient.Database,
  keys: bigint[],
): Generator<Statement> {
  const names = columnList(table);
  const row = `(${['', ...table.columns].map(() => '?').join()})`;
  const maxRows = Math.min(
    maxStatementRows,
    Math.floor(maxParameters / (table.columns.length + 1)),
  );
  const select = source
    .prepare<[bigint], Value[]>(`SELECT ${names} FROM "${table.name}" WHERE "${table.key}" = ?`)
    .raw()
    .safeIntegers();
  const statementOf = (rows: Value[][], bytes: number): Statement => ({
    sql: `INSERT INTO "${table.name}" (${names}) VALUES ${rows.map(() => row).join()}`,
    parameters: rows.flat(),
    rows: rows.length,
    bytes,
  });
  let rows: Value[][] = [];
  let bytes = 0;
  for (const key of keys) {
    const values = select.get(key);
    // Deleted meanwhile.
    if (values === undefined) continue;
    rows.push(values);
    bytes += sizeOf(values);
    if (rows.length < maxRows && bytes < maxStatementBytes) continue;
    yield statementOf(rows, bytes);
    [rows, bytes] = [[], 0];
  }
  if (rows.length > 0) yield statementOf(rows, bytes);
}

const sizeOf = (values: Value[]): number =>
  values.reduce<number>(
    (sum, value) =>
      sum + (typeof value === 'string' || Buffer.isBuffer(value) ? Buffer.byteLength(value) : 8),
    0,
  );

/** Several statements in each transaction. */
function* write(db: Database, statements: Iterator<Statement>): Generator<number> {
  for (let rows = transact(db, statements); rows !== null; rows = transact(db, statements)) {
    yield rows;
  }
}

/** @returns null if there are no more statements */
function transact({ $client: client }: Database, statements: Iterator<Statement>): number | null {
  let next = statements.next();
  if (next.done) return null;
  return client
    .transaction(() => {
      let rows = 0;
      for (let bytes = 0; !next.done; next = statements.next()) {
        client.prepare(next.value.sql).run(...next.value.parameters);
        rows += next.value.rows;
        bytes += next.value.bytes;
        if (bytes >= maxTransactionBytes) break;
      }
      return rows;
    })
    .immediate();
}

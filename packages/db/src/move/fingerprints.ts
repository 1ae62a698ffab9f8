import { createHash } from 'node:crypto';
import type SqliteClient from 'better-sqlite3';
import { type CopiedTable, copiedTables, rowsOf, sequencesOf, type Value } from './tables.ts';

export interface Fingerprint {
  table: string;
  rows: number;
  /** Of all values of all rows, in the order of their keys. */
  sha256: string;
}

/** Of each table of a file, and of the last ids of its `AUTOINCREMENT` columns. */
export function fingerprintsOf(client: SqliteClient.Database): Fingerprint[] {
  const tables = copiedTables(client).map((table) => fingerprintOf(client, table));
  const sequences = sequencesOf(client).map(({ name, seq }): Value[] => [name, seq]);
  return [...tables, fingerprint('sqlite_sequence', sequences.values())];
}

const fingerprintOf = (client: SqliteClient.Database, table: CopiedTable): Fingerprint =>
  fingerprint(table.name, rowsOf(client, table));

function fingerprint(table: string, values: Iterator<Value[]>): Fingerprint {
  const hash = createHash('sha256');
  let rows = 0;
  for (const row of Iterator.from(values)) {
    rows += 1;
    for (const value of row) {
      const [type, content] = typed(value);
      // With the length, so that different rows are never the same text.
      hash.update(`${type}${Buffer.byteLength(content)}:`).update(content);
    }
  }
  return { table, rows, sha256: hash.digest('hex') };
}

function typed(value: Value): [type: string, content: string | Buffer] {
  if (value === null) return ['null', ''];
  if (typeof value === 'string') return ['text', value];
  if (typeof value === 'bigint') return ['integer', String(value)];
  if (typeof value === 'number') return ['real', String(value)];
  return ['blob', value];
}

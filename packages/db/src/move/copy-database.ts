import { setImmediate } from 'node:timers/promises';
import SqliteClient from 'better-sqlite3';
import type { Database } from '../open.ts';
import { blocksWrites } from './blocked-writes.ts';
import { copyRows } from './copy-rows.ts';
import { type Fingerprint, fingerprintsOf } from './fingerprints.ts';
import { copiedTables, sequencesOf } from './tables.ts';

export interface CopySide {
  db: Database;
  /** The file of the database, or of a replica. */
  file: string;
}

interface CopyOptions {
  signal: AbortSignal;
  /** Receives the number of rows that were written so far. */
  onRows?(rows: number): void;
}

/**
 * Copies a database to one of the same schema. Others may write to the source meanwhile. Only
 * writes what differs, so that it continues an interrupted copy, and is fast when it runs again.
 */
export async function copyDatabase(
  source: CopySide,
  destination: CopySide,
  { signal, onRows = () => undefined }: CopyOptions,
): Promise<void> {
  const { db } = destination;
  const client = db.$client;
  using from = openReader(source.file);
  using to = openReader(destination.file);
  const triggers = triggersOf(from.client);
  client.pragma('foreign_keys = OFF');
  try {
    // What triggers would write is copied as well.
    const present = triggersOf(to.client).map(({ name }) => `DROP TRIGGER "${name}";`);
    if (present.length > 0) client.exec(present.join('\n'));
    let written = 0;
    for (const table of copiedTables(from.client)) {
      for (const rows of copyRows(table, from.client, to.client, db)) {
        written += rows;
        onRows(written);
        await setImmediate();
        signal.throwIfAborted();
      }
    }
    copySequences(from.client, client);
    client.exec(triggers.map(({ sql }) => `${sql};`).join('\n'));
  } finally {
    client.pragma('foreign_keys = ON');
  }
}

/** The number of rows that a copy would write into an empty database. */
export function countRows(file: string): number {
  using reader = openReader(file);
  const { client } = reader;
  return copiedTables(client).reduce(
    (sum, { name }) =>
      sum + (client.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0),
    0,
  );
}

/** The message is for the operator. */
export class CopyDiffers extends Error {
  override name = 'CopyDiffers';
}

/**
 * Reads all rows of both.
 * @returns the fingerprints of both
 * @throws {CopyDiffers}
 */
export function compareDatabases(source: CopySide, destination: CopySide): Fingerprint[] {
  using from = openReader(source.file);
  using to = openReader(destination.file);
  const wanted = fingerprintsOf(from.client);
  const present = fingerprintsOf(to.client);
  for (const { table, rows, sha256 } of wanted) {
    const copy = present.find((each) => each.table === table);
    if (copy?.rows === rows && copy.sha256 === sha256) continue;
    throw new CopyDiffers(
      `The copy of the table ${table} differs: it has ${copy?.rows ?? 'no'} of ${rows} rows, or different values.`,
    );
  }
  const [here, there] = [from, to].map((reader) => schemaOf(reader.client));
  if (here !== there) throw new CopyDiffers('The copy has different tables, indexes or triggers.');
  const [orphan] = to.client.pragma('foreign_key_check') as { table: string }[];
  if (orphan) throw new CopyDiffers(`Rows of the table ${orphan.table} refer to missing rows.`);
  return wanted;
}

/** Only names, because libSQL servers format the statements differently. */
const schemaOf = (client: SqliteClient.Database): string =>
  client
    .prepare<[], string>(
      "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1",
    )
    .pluck()
    .all()
    .filter((entry) => !blocksWrites(entry.replace(/^trigger /, '')))
    .join();

const triggersOf = (client: SqliteClient.Database): { name: string; sql: string }[] =>
  client
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name",
    )
    .all()
    .filter(({ name }) => !blocksWrites(name));

function copySequences(from: SqliteClient.Database, to: SqliteClient.Database): void {
  to.transaction(() => {
    to.prepare('DELETE FROM sqlite_sequence').run();
    const insert = to.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
    for (const { name, seq } of sequencesOf(from)) insert.run(name, seq);
  }).immediate();
}

function openReader(file: string): { client: SqliteClient.Database } & Disposable {
  const client = new SqliteClient(file, { readonly: true, fileMustExist: true });
  return { client, [Symbol.dispose]: () => client.close() };
}

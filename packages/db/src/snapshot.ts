import SqliteClient from 'better-sqlite3';
import { listTables } from './inspect.ts';
import type { Database } from './open.ts';

/** What is in a database file that no process writes to. */
export interface SnapshotContents {
  /** When the newest migration in it was made, in milliseconds since 1970. */
  schemaVersion: number;
  /** Rows by table. */
  counts: Record<string, number>;
}

/**
 * Copies the database as of one moment, while others write to it, into a file that must not be
 * there yet. What was deleted before is not in the copy, not even in unused pages
 * (sqlite.org/lang_vacuum.html, VACUUM INTO).
 */
export function writeSnapshot(db: Database, file: string): void {
  db.$client.prepare('VACUUM INTO ?').run(file);
}

/**
 * Reads a copy from the first page to the last.
 * @throws when it is damaged, or rows in it point to nothing
 */
export function verifySnapshot(file: string): SnapshotContents {
  const client = new SqliteClient(file, { readonly: true, fileMustExist: true });
  try {
    const result = client.pragma('integrity_check(1)', { simple: true });
    if (result !== 'ok') throw new Error(`the database is damaged (${result})`);
    const [orphan] = client.pragma('foreign_key_check') as { table: string }[];
    if (orphan) throw new Error(`rows of ${orphan.table} point to nothing`);
    const schemaVersion = client
      .prepare<[], number | null>('SELECT max(created_at) FROM __drizzle_migrations')
      .pluck()
      .get();
    return {
      schemaVersion: schemaVersion ?? 0,
      counts: Object.fromEntries(
        listTables(client).map((name) => [
          name,
          client.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0,
        ]),
      ),
    };
  } finally {
    client.close();
  }
}

/** The pictures that profiles in a copy name, one after the other. */
export function* avatarUrlsIn(file: string): Generator<string> {
  const client = new SqliteClient(file, { readonly: true, fileMustExist: true });
  try {
    yield* client
      .prepare<[], string>('SELECT avatar_url FROM profiles WHERE avatar_url IS NOT NULL')
      .pluck()
      .iterate();
  } finally {
    client.close();
  }
}

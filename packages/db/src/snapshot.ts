import SqliteClient from 'better-sqlite3';
import { firstDamage, listTables } from './inspect.ts';
import { newestMigration } from './migrate.ts';
import type { Database } from './open.ts';

interface SnapshotContents {
  /** The time of the newest migration, in milliseconds since 1970. */
  schemaVersion: number;
  /** Rows by table. */
  counts: Record<string, number>;
}

/** The file contains no deleted data (sqlite.org/lang_vacuum.html, VACUUM INTO). */
export function writeSnapshot(db: Database, file: string): void {
  db.$client.prepare('VACUUM INTO ?').run(file);
}

/** Reads every page. @throws if it is damaged, or foreign keys are violated */
export function verifySnapshot(file: string): SnapshotContents {
  const client = new SqliteClient(file, { readonly: true, fileMustExist: true });
  try {
    const damage = firstDamage(client, 'integrity_check');
    if (damage !== null) throw new Error(`the database is damaged (${damage})`);
    const [orphan] = client.pragma('foreign_key_check') as { table: string }[];
    if (orphan) throw new Error(`rows of ${orphan.table} violate foreign keys`);
    return {
      schemaVersion: newestMigration(client),
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

/** The next start creates another one. Does nothing without such a secret. */
export function deleteServerSecret(file: string, name: string): void {
  const client = new SqliteClient(file, { fileMustExist: true });
  try {
    if (!listTables(client).includes('server_secrets')) return;
    client.prepare('DELETE FROM server_secrets WHERE name = ?').run(name);
  } finally {
    client.close();
  }
}

/** Keeps the snapshot open until the iteration ends. */
export const avatarUrlsIn = (file: string): Generator<string> =>
  rowsIn(file, (client) =>
    client
      .prepare<[], string>('SELECT avatar_url FROM profiles WHERE avatar_url IS NOT NULL')
      .pluck()
      .iterate(),
  );

interface StoredPicture {
  id: string;
  width: number;
  height: number;
}

/** Keeps the snapshot open until the iteration ends. */
export const picturesIn = (file: string): Generator<StoredPicture> =>
  rowsIn(file, (client) =>
    client.prepare<[], StoredPicture>('SELECT id, width, height FROM pictures').iterate(),
  );

function* rowsIn<Row>(
  file: string,
  read: (client: SqliteClient.Database) => Iterable<Row>,
): Generator<Row> {
  const client = new SqliteClient(file, { readonly: true, fileMustExist: true });
  try {
    yield* read(client);
  } finally {
    client.close();
  }
}

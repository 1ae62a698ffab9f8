import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Database } from './open.ts';
import { storageFailureOf } from './storage-failure.ts';

const shippedMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** The message is for the operator. */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed';
}

/**
 * What `migrate` would do. `schema` is the name of the newest applied migration, such as
 * `0019_post_tags`; null if there is none, or if it is not in the folder. Only reads.
 */
export function pendingMigrations(
  { $client: client }: Database,
  folder: string = shippedMigrations,
): { schema: string | null; pending: number } {
  const { entries } = readJournal(folder);
  const appliedUpTo = newestMigration(client);
  return {
    schema: entries.find(({ when }) => when === appliedUpTo)?.tag ?? null,
    pending: entries.filter(({ when }) => when > appliedUpTo).length,
  };
}

interface Journal {
  /** `when` in milliseconds since 1970, which identifies a migration in the database. */
  entries: { tag: string; when: number }[];
}

function readJournal(folder: string): Journal {
  if (!existsSync(folder)) throw new MigrationFailed(`The migrations are missing from ${folder}.`);
  return JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'));
}

/**
 * Migrates to the newest schema in one transaction, so that only one of several concurrent
 * processes migrates, and a failure changes nothing.
 * @returns the number of applied migrations
 * @throws {MigrationFailed} if a migration fails or the database is newer than this program;
 * SQLite's own error for failures of the storage (see `storageFailureOf`)
 */
export function migrate(db: Database, folder: string = shippedMigrations): number {
  const { entries } = readJournal(folder);
  const client = db.$client;
  // Usually nothing is pending. This check needs neither the files nor the write lock nor a
  // writable disk.
  if (newestMigration(client) === (entries.at(-1)?.when ?? 0)) return 0;
  const migrations = readMigrationFiles({ migrationsFolder: folder });

  // Needed to rebuild tables, and ignored inside transactions.
  client.pragma('foreign_keys = OFF');
  try {
    return client
      .transaction(() => {
        // The table of drizzle's own migrator, for drizzle's tools.
        client.exec(
          'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id INTEGER PRIMARY KEY, hash text NOT NULL, created_at numeric)',
        );
        const appliedUpTo = newestMigration(client);
        if (appliedUpTo > (migrations.at(-1)?.folderMillis ?? 0)) {
          throw new MigrationFailed(
            'The database was written by a newer version of this program. Start that version, or go back to the data from before its update: `pnpm cli restore` with the newest file in DATA_DIR/before-migration. What was written since then would be missing.',
          );
        }

        const pending = migrations.filter((migration) => migration.folderMillis > appliedUpTo);
        for (const migration of pending) {
          // One request, if the database is on another machine.
          client.exec(migration.sql.join(';\n'));
          client
            .prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)')
            .run(migration.hash, migration.folderMillis);
        }
        const orphans = client.pragma('foreign_key_check') as { table: string }[];
        if (orphans[0]) throw new Error(`rows of ${orphans[0].table} would violate foreign keys`);
        return pending.length;
      })
      .immediate();
  } catch (cause) {
    if (cause instanceof MigrationFailed || storageFailureOf(cause) !== null) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationFailed(
      `The database could not be migrated (${reason}). Nothing was changed: start the previous version, or fix the cause and start again.`,
      { cause },
    );
  } finally {
    client.pragma('foreign_keys = ON');
  }
}

/** The time of the newest applied migration, in milliseconds since 1970; 0 if there is none. */
export function newestMigration(client: Database['$client']): number {
  const table = client
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'")
    .get();
  if (table === undefined) return 0;
  return (
    client
      .prepare<[], number | null>('SELECT max(created_at) FROM __drizzle_migrations')
      .pluck()
      .get() ?? 0
  );
}

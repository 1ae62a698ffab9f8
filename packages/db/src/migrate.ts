import { existsSync } from 'node:fs';
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
 * Migrates to the newest schema, in one transaction: of two concurrent processes one migrates, and
 * a failure changes nothing.
 * @returns the number of applied migrations
 * @throws {MigrationFailed} if a migration fails or the database is newer than this program;
 * SQLite's own error for failures of the storage (see `storageFailureOf`)
 */
export function migrate(db: Database, folder: string = shippedMigrations): number {
  if (!existsSync(folder)) throw new MigrationFailed(`The migrations are missing from ${folder}.`);
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const client = db.$client;
  // Usually nothing is pending. Needs neither the write lock nor a writable disk.
  if (isUpToDate(client, migrations.at(-1)?.folderMillis ?? 0)) return 0;

  // Ignored inside transactions, and needed to rebuild tables.
  client.pragma('foreign_keys = OFF');
  try {
    return client
      .transaction(() => {
        // As drizzle's own migrator, for its tools.
        client.exec(
          'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id INTEGER PRIMARY KEY, hash text NOT NULL, created_at numeric)',
        );
        const newest = client
          .prepare<[], { at: number | null }>(
            'SELECT max(created_at) AS at FROM __drizzle_migrations',
          )
          .get();
        const appliedUpTo = newest?.at ?? 0;
        if (appliedUpTo > (migrations.at(-1)?.folderMillis ?? 0)) {
          throw new MigrationFailed(
            'The database was written by a newer version of this program. Start that version, or restore the backup from before it.',
          );
        }

        const pending = migrations.filter((migration) => migration.folderMillis > appliedUpTo);
        for (const migration of pending) {
          for (const statement of migration.sql) client.exec(statement);
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

function isUpToDate(client: Database['$client'], newestMigration: number): boolean {
  const table = client
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'")
    .get();
  if (table === undefined) return false;
  const newest = client
    .prepare<[], number | null>('SELECT max(created_at) FROM __drizzle_migrations')
    .pluck()
    .get();
  return newest === newestMigration;
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Database } from './open.ts';
import { storageFailureOf } from './storage-failure.ts';

const shippedMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** The message is for the person who starts the program: what failed and what to do. */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed';
}

/**
 * Brings the database to the newest schema; returns how many migrations it applied.
 *
 * All of them run in one transaction behind the write lock: of two processes
 * that start together one migrates and the other finds it done, and a failure
 * leaves the database as it was.
 * @throws {MigrationFailed} when a migration fails, or when the database was
 * written by a newer version of the program; SQLite's own error when the disk is full or
 * read-only, or the file is locked or damaged (see `storageFailureOf`)
 */
export function migrate(db: Database, folder: string = shippedMigrations): number {
  if (!existsSync(folder)) throw new MigrationFailed(`The migrations are missing from ${folder}.`);
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const client = db.$client;
  // Most starts find nothing to do, and need no write lock, nor a disk that can be written.
  if (isUpToDate(client, migrations.at(-1)?.folderMillis ?? 0)) return 0;

  // SQLite ignores this pragma inside a transaction; tables that are rebuilt need it off.
  client.pragma('foreign_keys = OFF');
  try {
    return client
      .transaction(() => {
        // The table that drizzle's own migrator keeps, so that its tools still read it.
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
        if (orphans[0]) throw new Error(`rows of ${orphans[0].table} would point to nothing`);
        return pending.length;
      })
      .immediate();
  } catch (cause) {
    // What the disk or another process is to blame for says nothing about the migrations.
    if (cause instanceof MigrationFailed || storageFailureOf(cause) !== null) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationFailed(
      `The database could not be brought to the new schema (${reason}). Nothing was changed: start the version that ran before, or mend the cause and start again.`,
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

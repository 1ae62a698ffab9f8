import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listTables } from '../inspect.ts';
import { migrate } from '../migrate.ts';
import { close, type Database, open } from '../open.ts';
import { earlierMigrations, migrationTags } from './other-versions.ts';

const fixturesFolder = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** For each migration, the rows that a program of that schema may have written. */
export const fixtureOf = (tag: string): string => join(fixturesFolder, `${tag}.sql`);

/** All rows after they were migrated to the newest schema, one per line. */
export const migratedRowsFile = join(fixturesFolder, 'migrated.jsonl');

/**
 * Creates a database as a program with an earlier schema would have left it, with rows of all
 * schemas up to that one.
 */
export function openEarlierDatabase(file: string, schema: string): Database {
  const db = open(file, { synchronous: 'OFF' });
  for (const tag of migrationTags.slice(0, migrationTags.indexOf(schema) + 1)) {
    const folder = mkdtempSync(join(tmpdir(), 'earlier-'));
    try {
      migrate(db, earlierMigrations(folder, tag));
    } finally {
      rmSync(folder, { recursive: true });
    }
    const fixture = fixtureOf(tag);
    if (existsSync(fixture)) db.$client.exec(readFileSync(fixture, 'utf8'));
  }
  return db;
}

export interface MigratedRow {
  /** The first schema whose rows include it. */
  since: string;
  table: string;
  row: Record<string, unknown>;
}

/** What `migratedRowsFile` should contain: the rows that each schema adds to the one before. */
export function migratedRows(): MigratedRow[] {
  const known = new Set<string>();
  return migrationTags.flatMap((since) =>
    rowsAfterMigration(since).flatMap(({ table, row }) => {
      const text = JSON.stringify([table, row]);
      if (known.has(text)) return [];
      known.add(text);
      return [{ since, table, row }];
    }),
  );
}

/** The rows of a database with that schema, after migration to the newest one. */
export function rowsAfterMigration(schema: string): Omit<MigratedRow, 'since'>[] {
  const db = openEarlierDatabase(':memory:', schema);
  try {
    migrate(db);
    return rowsIn(db);
  } finally {
    close(db);
  }
}

/** Without the list of migrations, and with a fixed text for random ids of a migration. */
function rowsIn({ $client: client }: Database): Omit<MigratedRow, 'since'>[] {
  return ownTables(client).flatMap((table) =>
    client
      .prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}" ORDER BY rowid`)
      .all()
      .map((row) => {
        const isDrawn = table === 'sessions' && /^[\da-f]{32}$/.test(String(row['id']));
        return { table, row: isDrawn ? { ...row, id: '(random)' } : row };
      }),
  );
}

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  /** An SQL literal. */
  default: string | null;
  refersTo: { table: string; to: string } | null;
}

export function columnsOf({ $client: client }: Database, table: string): Column[] {
  const keys = client
    .prepare<[string], { from: string; table: string; to: string }>(
      'SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)',
    )
    .all(table);
  return client
    .prepare<[string], Omit<Column, 'refersTo' | 'isRequired'> & { notnull: number }>(
      'SELECT name, type, "notnull", dflt_value AS "default" FROM pragma_table_info(?)',
    )
    .all(table)
    .map(({ notnull, ...column }) => ({
      ...column,
      isRequired: notnull === 1,
      refersTo: keys.find(({ from }) => from === column.name) ?? null,
    }));
}

/** By table, the columns that only contain null, empty texts or the default. */
export function unfilledColumns(db: Database): Record<string, string[]> {
  const { $client: client } = db;
  const unfilled = ownTables(client).map((table) => {
    const columns = columnsOf(db, table).filter(
      ({ name, default: literal }) =>
        client
          .prepare(
            `SELECT 1 FROM "${table}" WHERE "${name}" <> '' AND "${name}" IS NOT ${literal ?? 'NULL'} LIMIT 1`,
          )
          .get() === undefined,
    );
    return [table, columns.map(({ name }) => name)] as const;
  });
  return Object.fromEntries(unfilled.filter(([, columns]) => columns.length > 0));
}

const ownTables = (client: Database['$client']): string[] =>
  listTables(client).filter((table) => table !== '__drizzle_migrations');

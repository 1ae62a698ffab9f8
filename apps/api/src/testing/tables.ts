import type { Database } from '@app/db/open';
import { sharedConnectionOf } from '@app/db/testing/shared-connection';
import type { Publisher } from '../publishing/publisher.ts';

type Client = Database['$client'];

export type Tables = Readonly<Record<string, readonly unknown[]>>;

const known = new WeakMap<Client, { changes: string; tables: Tables }>();

/** Differs after each change of a row, whether by this connection or another one. */
const changesOf = (db: Database): string => {
  const shared = sharedConnectionOf(db);
  if (shared) return String(shared.version());
  const { $client: client } = db;
  return `${client.prepare('SELECT total_changes()').pluck().get()} ${client.pragma('data_version', { simple: true })}`;
};

/**
 * The rows of all tables, to show what a request has changed. Returns the same object as the last
 * call if nothing has changed since, because tests of refusals compare it hundreds of times.
 */
export function allRows(db: Database): Tables {
  const { $client: client } = db;
  const changes = changesOf(db);
  const last = known.get(client);
  if (last?.changes === changes && !client.inTransaction) return last.tables;
  const names = client
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  const tables = Object.fromEntries(
    names.map((name) => [name, client.prepare(`SELECT * FROM "${name}" ORDER BY rowid`).all()]),
  );
  known.set(client, { changes, tables });
  return tables;
}

/** All rows, once everything is published. */
export async function settledRows({
  deps,
}: {
  deps: { db: Database; publisher: Publisher };
}): Promise<Tables> {
  await deps.publisher.settled();
  return allRows(deps.db);
}

import type { Database } from '@app/db/open';
import type { Publisher } from '../publishing/publisher.ts';

/** To show what a request changed. */
export function allRows({ $client: client }: Database): Record<string, unknown[]> {
  const tables = client
    .prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      client.prepare(`SELECT * FROM "${name}" ORDER BY rowid`).all(),
    ]),
  );
}

/** All rows once publish jobs are done: they are deleted after the reply. */
export async function settledRows({
  deps,
}: {
  deps: { db: Database; publisher: Publisher };
}): Promise<Record<string, unknown[]>> {
  await deps.publisher.settled();
  return allRows(deps.db);
}

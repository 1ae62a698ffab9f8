import type { Database } from '@app/db/open';

/** To show what a request changed. */
export function allRows({ $client: client }: Database): Record<string, unknown[]> {
  const tables = client
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      client.prepare(`SELECT * FROM "${name}" ORDER BY rowid`).all(),
    ]),
  );
}

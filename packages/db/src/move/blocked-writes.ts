import type SqliteClient from 'better-sqlite3';
import { movedMessage } from '../storage-failure.ts';

const prefix = 'database_move_';

/** Not true without a move. */
const isBlocked = `(SELECT blocked_until IS NULL OR blocked_until > cast(unixepoch('subsec') * 1000 AS integer) FROM database_moves)`;

const refuse = `RAISE(ABORT, '${movedMessage}')`;

/**
 * Refuses the writes of all processes (servers and commands) with triggers. For a file, a lock
 * would be enough, but a libSQL server gives the lock to others after 5 s.
 */
export function blockWrites(client: SqliteClient.Database): void {
  unblockWrites(client);
  const tables = client
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'database_moves'`,
    )
    .pluck()
    .all();
  client.exec(tables.flatMap(triggersOf).join('\n'));
}

export function unblockWrites(client: SqliteClient.Database): void {
  const drops = triggerNames(client).map((name) => `DROP TRIGGER "${name}";`);
  if (drops.length > 0) client.exec(drops.join('\n'));
}

const triggerNames = (client: SqliteClient.Database): string[] =>
  client
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .pluck()
    .all()
    .filter(blocksWrites);

export const blocksWrites = (trigger: string): boolean => trigger.startsWith(prefix);

function triggersOf(table: string): string[] {
  return ['INSERT', 'UPDATE', 'DELETE'].map((event) => {
    const work = table === 'outbox' && event === 'UPDATE' ? storeResults : `SELECT ${refuse};`;
    return `CREATE TRIGGER "${prefix}${table}_${event.toLowerCase()}" BEFORE ${event} ON "${table}" WHEN ${isBlocked} BEGIN ${work} END;`;
  });
}

/**
 * Stores the results of emails that are being sent, because the copy would send these again.
 * Ignores attempts to lease other emails: an error would roll back the results.
 */
const storeResults = `
  SELECT CASE
    WHEN old.state <> 'queued' OR (SELECT blocked_until IS NULL FROM database_moves) THEN ${refuse}
    WHEN new.state = 'queued' THEN RAISE(IGNORE)
  END;
  UPDATE database_moves SET results = results + 1;`;

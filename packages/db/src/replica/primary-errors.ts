import SqliteClient from 'better-sqlite3';
import type { ServerError } from './hrana.ts';

/**
 * The primary does not answer, or refuses every request. The pending writes are not stored, unless
 * the last request was their commit: then the outcome is unknown.
 */
export class PrimaryUnavailable extends Error {
  override name = 'PrimaryUnavailable';
  readonly code = 'PRIMARY_UNAVAILABLE';
}

/** Patterns of the server's code and SQLite's message; only the latter names the constraint. */
const codes: readonly [pattern: RegExp, code: string][] = [
  // Another server was given the write lock after five seconds.
  [/^TRANSACTION_(?:TIMEOUT|BUSY) /, 'SQLITE_BUSY'],
  // The server's operator blocks writes, and gives a reason.
  [/^BLOCKED /, 'SQLITE_READONLY'],
  [/ UNIQUE constraint failed/, 'SQLITE_CONSTRAINT_UNIQUE'],
  [/ FOREIGN KEY constraint failed/, 'SQLITE_CONSTRAINT_FOREIGNKEY'],
  [/ NOT NULL constraint failed/, 'SQLITE_CONSTRAINT_NOTNULL'],
  [/ CHECK constraint failed/, 'SQLITE_CONSTRAINT_CHECK'],
  [/ cannot store \w{1,12} value in \w{1,12} column/, 'SQLITE_CONSTRAINT_DATATYPE'],
  // RAISE() in a trigger.
  [/^SQLITE_CONSTRAINT /, 'SQLITE_CONSTRAINT_TRIGGER'],
  [/ database or disk is full/, 'SQLITE_FULL'],
  [/ disk I\/O error/, 'SQLITE_IOERR'],
  [/ database disk image is malformed/, 'SQLITE_CORRUPT'],
  [/ attempt to write a readonly database/, 'SQLITE_READONLY'],
  [/ database (?:table )?is locked/, 'SQLITE_BUSY'],
  [/ string or blob too big/, 'SQLITE_TOOBIG'],
];

/** The error that better-sqlite3 would throw, except that primary keys count as unique columns. */
export function toSqliteError({ message, code }: ServerError): Error {
  const text = message.replace(/^SQLite (?:error|input error): /, '');
  const [, count] =
    /(not found|too many parameters)/.exec(code === 'ARGS_INVALID' ? text : '') ?? [];
  if (count !== undefined) {
    const amount = count === 'not found' ? 'few' : 'many';
    return new RangeError(`Too ${amount} parameter values were provided`);
  }
  if (code === 'SQL_MANY_STATEMENTS' || code === 'SQL_NO_STATEMENT') return new RangeError(text);
  const described = `${code ?? ''} ${text}`;
  const known = codes.find(([pattern]) => pattern.test(described));
  return new SqliteClient.SqliteError(text, known?.[1] ?? 'SQLITE_ERROR');
}

/** For a reply outside the protocol: from a proxy, or about the whole stream. */
export function toHttpError(host: string, status: number, body: string): Error {
  const [line = ''] = body.trim().split('\n');
  const reason = `${status} ${line.slice(0, 200)}`.trim();
  if (status === 401 || status === 403) {
    return new PrimaryUnavailable(
      `The database server ${host} refuses the token (${reason}): set one that can read and write.`,
    );
  }
  // The server no longer knows the transaction.
  const isLost = /baton|STREAM_EXPIRED/.test(body);
  const isRefused = status < 500 && status !== 404 && status !== 429 && !isLost;
  if (isRefused) return new SqliteClient.SqliteError(reason, 'SQLITE_ERROR');
  const hint = /^\{"error":"Namespace /.test(body)
    ? ' It takes the host name up to the first dot as the name of a database: use a host name without dots.'
    : '';
  return new PrimaryUnavailable(
    `The database server ${host} refused a request (${reason}).${hint}`,
  );
}

/** The error for a failed first sync. Reads the message, because libsql's errors have no code. */
export const toOpenError = (failure: Error): Error =>
  /trying to connect|connection|handshake|unavailable|does not answer/i.test(failure.message)
    ? new PrimaryUnavailable(failure.message)
    : failure;

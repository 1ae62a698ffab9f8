/** Failures that are not the program's fault. */
export type StorageFailure =
  /** No space, or over quota. */
  | 'full'
  | 'read-only'
  /** Another process holds the write lock. */
  | 'busy'
  | 'io'
  /** The server that all writes go to does not answer, or refuses them. */
  | 'unavailable'
  /** The database is being moved, or was moved: see `move/blocked-writes.ts`. */
  | 'moved'
  /** Retrying does not help. */
  | 'corrupt';

/** The message of triggers, because SQLite has no code for it. */
export const movedMessage = 'the database is being moved, or was moved';

const byCode: readonly [pattern: RegExp, failure: StorageFailure][] = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/, 'full'],
  [/^(?:SQLITE_READONLY.*|EROFS)$/, 'read-only'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy'],
  [/^(?:SQLITE_IOERR.*|SQLITE_CANTOPEN.*|EIO)$/, 'io'],
  [/^PRIMARY_UNAVAILABLE$/, 'unavailable'],
  [/^SQLITE_(?:CORRUPT.*|NOTADB)$/, 'corrupt'],
];

/**
 * Depends on the code of SQLite (sqlite.org/rescode.html) or the file system (errno(3)) in the
 * error or one of its causes.
 */
export function storageFailureOf(error: unknown): StorageFailure | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const { code } = at as { code?: unknown };
    if (code === 'SQLITE_CONSTRAINT_TRIGGER' && at.message.includes(movedMessage)) return 'moved';
    if (typeof code === 'string') {
      const known = byCode.find(([pattern]) => pattern.test(code));
      if (known) return known[1];
    }
    at = at.cause;
  }
  return null;
}

/** Whether the failure can end without repairing the data. */
export const isTransient = (failure: StorageFailure | null): boolean =>
  failure !== null && failure !== 'corrupt';

/** Why something could not be read or written, as far as it is not the program's fault. */
export type StorageFailure =
  /** No space is left, or the user's quota is used up. */
  | 'full'
  | 'read-only'
  /** Another process holds the database's write lock. */
  | 'busy'
  /** The disk, or the file system, reports an error. */
  | 'io'
  /** What is in the database file is damaged: no retry helps. */
  | 'corrupt';

const byCode: readonly [pattern: RegExp, failure: StorageFailure][] = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/, 'full'],
  [/^(?:SQLITE_READONLY.*|EROFS)$/, 'read-only'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy'],
  [/^(?:SQLITE_IOERR.*|SQLITE_CANTOPEN.*|EIO)$/, 'io'],
  [/^SQLITE_(?:CORRUPT.*|NOTADB)$/, 'corrupt'],
];

/**
 * What an error of SQLite (sqlite.org/rescode.html) or of the file system (errno(3)) says of the
 * storage, its causes included; null for every other error.
 */
export function storageFailureOf(error: unknown): StorageFailure | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') {
      const known = byCode.find(([pattern]) => pattern.test(code));
      if (known) return known[1];
    }
    at = at.cause;
  }
  return null;
}

/** Whether it may go away without repairing the data. */
export const isPassing = (failure: StorageFailure | null): boolean =>
  failure !== null && failure !== 'corrupt';

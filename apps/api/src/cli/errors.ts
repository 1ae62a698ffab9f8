/** With --json, standard error gets `{ error: { code, message } }`. */
export const errorCodes = {
  usage: 'wrong arguments (exit code 2)',
  invalid_configuration: 'settings in the environment are invalid',
  no_database: 'DATA_DIR has no database',
  foreign_database: 'the database belongs to another program',
  newer_database: 'a newer version wrote the database',
  unusable_database: 'the database cannot be read or written',
  database_unavailable: 'the server of DATABASE_URL is unreachable, or refuses',
  database_busy: 'another process holds the database: try again',
  not_found: 'there is no such email, message, account or file',
  ambiguous: 'the end of an id matches several',
  conflict: 'the current state does not allow it',
  invalid_file: 'a file is damaged, or not what the command expects',
  file_system: 'the system failed to read or write a file',
  disk_full: 'the disk is full',
  storage: 'the server of an s3:// URL cannot be reached, or refuses',
  interrupted: 'a signal interrupted the command',
  internal: 'a bug in the program',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Wrong usage: exit code 2. The message says what to change. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Exit code 1. The user sees the message. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly code: Exclude<ErrorCode, 'usage' | 'internal'>;

  constructor(code: CommandError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

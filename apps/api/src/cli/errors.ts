/** With --json, on standard error: `{ error: { code, message } }`. */
export const errorCodes = {
  usage: 'wrong arguments (exit code 2)',
  invalid_configuration: 'settings in the environment are invalid',
  no_database: 'DATA_DIR has no database',
  foreign_database: 'the database belongs to another program',
  newer_database: 'a newer version wrote the database',
  unusable_database: 'the database cannot be read or written',
  database_unavailable: 'the server of DATABASE_URL does not answer, or refuses',
  database_busy: 'another process holds the database: try again',
  not_found: 'there is no such email, message, account or file',
  ambiguous: 'the end of an id fits several',
  conflict: 'the state of what is there does not allow it',
  invalid_file: 'a file is not what the command reads, or damaged',
  file_system: 'the system refused to read or write a file',
  disk_full: 'the disk is full',
  storage: 'the server of an s3:// URL cannot be reached, or refuses',
  interrupted: 'a signal ended the command',
  internal: 'a defect of the program',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Wrong usage: exit code 2. The message says what to change. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Exit code 1. The message is for the user. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly code: Exclude<ErrorCode, 'usage' | 'internal'>;

  constructor(code: CommandError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

import { CommandError } from './errors.ts';

/** Errors of the system that a command did not explain itself; others are returned as they are. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code?.startsWith('SQLITE_')) {
    return new CommandError(
      'unusable_database',
      `A database in DATA_DIR cannot be used (${message}). Run this command as the user of the server, who owns DATA_DIR.`,
    );
  }
  if (syscall === undefined || !/^E[A-Z]+$/.test(code ?? '')) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new CommandError('disk_full', `The disk is full (${message}). Free some space.`);
  }
  return new CommandError(
    'file_system',
    code === 'EACCES' || code === 'EPERM'
      ? `${message}. Run this command as the user of the server, who owns DATA_DIR.`
      : `${message}.`,
  );
}

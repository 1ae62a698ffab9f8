import { storageFailureOf } from '@app/db/storage-failure';
import { CommandError } from './errors.ts';

/** How a command explains the failures that it expects. */
export interface ExpectedFailures {
  /** Called first, for errors of the command itself. Undefined for other errors. */
  explain(error: unknown): CommandError | undefined;
  diskFull: string;
  /** @param message the message of the system, without a period */
  fileSystem(message: string): string;
}

/** Returns unexpected errors unchanged. */
export function explainExpected(error: unknown, failures: ExpectedFailures): unknown {
  const own = failures.explain(error);
  if (own) return own;
  if (storageFailureOf(error) === 'full') return new CommandError('disk_full', failures.diskFull);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return /^E[A-Z]+$/.test(code)
    ? new CommandError('file_system', failures.fileSystem(message))
    : error;
}

/** @throws errors of the work, explained, or `interrupted` if the signal was aborted */
export async function orExplain<T>(
  signal: AbortSignal,
  { interrupted, ...failures }: ExpectedFailures & { interrupted: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw new CommandError('interrupted', interrupted);
    throw explainExpected(error, failures);
  }
}

/** Explains system errors that the command did not explain. Returns other errors unchanged. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (storageFailureOf(error) === 'full') {
    // Errors without a code come from drizzle. Their message has the values of the query.
    const reason = code === undefined ? '' : ` (${message})`;
    return new CommandError('disk_full', `The disk is full${reason}. Free some space.`);
  }
  if (code?.startsWith('SQLITE_')) {
    return new CommandError(
      'unusable_database',
      `A database in DATA_DIR cannot be used (${message}). Run this command as the user of the server, who owns DATA_DIR.`,
    );
  }
  if (syscall === undefined || !/^E[A-Z]+$/.test(code ?? '')) return error;
  return new CommandError(
    'file_system',
    code === 'EACCES' || code === 'EPERM'
      ? `${message}. Run this command as the user of the server, who owns DATA_DIR.`
      : `${message}.`,
  );
}

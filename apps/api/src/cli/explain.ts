import { storageFailureOf } from '@app/db/storage-failure';
import { CommandError } from './errors.ts';

/** What a command says about failures that it expects. */
export interface ExpectedFailures {
  /** Its own errors, first; undefined for others. */
  explain(error: unknown): CommandError | undefined;
  diskFull: string;
  /** @param message of the system, without a period */
  fileSystem(message: string): string;
}

/** Unexpected errors are returned as they are. */
export function explainExpected(error: unknown, failures: ExpectedFailures): unknown {
  const own = failures.explain(error);
  if (own) return own;
  if (storageFailureOf(error) === 'full') return new CommandError('disk_full', failures.diskFull);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return /^E[A-Z]+$/.test(code)
    ? new CommandError('file_system', failures.fileSystem(message))
    : error;
}

/** @throws what the work throws, explained, or `interrupted` if the signal has ended it */
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

/** Errors of the system that a command did not explain itself; others are returned as they are. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (storageFailureOf(error) === 'full') {
    // Those without a code are of drizzle, and have the values of the query.
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

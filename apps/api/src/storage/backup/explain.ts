import { CommandError } from '../../cli/errors.ts';
import { S3Error } from '../../s3/errors.ts';
import { ReplaceError } from '../data-folder/replace.ts';
import { BackupError } from './manifest.ts';

/** Turns failures into sentences. */
export async function orExplain<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) {
      throw new CommandError('interrupted', 'Interrupted: nothing was changed.');
    }
    throw explain(error);
  }
}

function explain(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof CommandError) return error;
  if (error instanceof BackupError) return new CommandError(error.code, `${message}.`);
  if (error instanceof S3Error) return new CommandError('storage', `${message}.`);
  if (error instanceof ReplaceError) {
    return new CommandError('conflict', `${message}. Nothing was changed.`);
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    return new CommandError(
      'disk_full',
      'The disk is full; nothing was changed. Free some space and try again.',
    );
  }
  if (code === 'ENOENT') {
    return new CommandError('not_found', `${message}: nothing was changed.`);
  }
  return /^E[A-Z]+$/.test(code)
    ? new CommandError(
        'file_system',
        `${message}: nothing was changed. Make sure that this user may use it.`,
      )
    : error;
}

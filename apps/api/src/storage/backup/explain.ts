import { CommandError } from '../../cli/errors.ts';
import { orExplain } from '../../cli/explain.ts';
import { S3Error } from '../../s3/errors.ts';
import { ReplaceError } from '../data-folder/replace.ts';
import { BackupError } from './manifest.ts';

const failures = {
  explain(error: unknown) {
    if (error instanceof CommandError) return error;
    if (error instanceof BackupError) return new CommandError(error.code, `${error.message}.`);
    if (error instanceof S3Error) return new CommandError('storage', `${error.message}.`);
    if (error instanceof ReplaceError) {
      return new CommandError('conflict', `${error.message}. Nothing was changed.`);
    }
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return undefined;
    return new CommandError('not_found', `${message}: nothing was changed.`);
  },
  interrupted: 'Interrupted: nothing was changed.',
  diskFull: 'The disk is full; nothing was changed. Free some space and try again.',
  fileSystem: (message: string) =>
    `${message}: nothing was changed. Make sure that this user may use it.`,
};

/** Turns failures of backups into sentences. */
export const orExplainBackup = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  orExplain(signal, failures, work);

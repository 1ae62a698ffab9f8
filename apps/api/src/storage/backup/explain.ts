import { CommandError } from '../../cli/errors.ts';
import { orExplain } from '../../cli/explain.ts';
import { S3Error } from '../../s3/errors.ts';
import { replaceFailures } from '../data-folder/explain.ts';
import { BackupError } from './manifest.ts';

const failures = {
  ...replaceFailures,
  explain(error: unknown) {
    if (error instanceof CommandError) return error;
    if (error instanceof BackupError) return new CommandError(error.code, `${error.message}.`);
    if (error instanceof S3Error) return new CommandError('storage', `${error.message}.`);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return replaceFailures.explain(error);
    return new CommandError('not_found', `${message}: nothing was changed.`);
  },
  interrupted: 'Interrupted: nothing was changed.',
};

export const orExplainBackup = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  orExplain(signal, failures, work);

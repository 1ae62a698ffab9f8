import { CommandError } from '../../cli/errors.ts';
import { type ExpectedFailures, orExplain } from '../../cli/explain.ts';
import { S3Error } from '../../s3/errors.ts';

const failures: ExpectedFailures & { interrupted: string } = {
  explain(error) {
    if (error instanceof CommandError) return error;
    if (error instanceof S3Error) return new CommandError('storage', `${error.message}.`);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return undefined;
    return new CommandError('not_found', `${message}: nothing was changed.`);
  },
  interrupted: 'Interrupted: nothing was changed.',
  diskFull: 'The disk is full; nothing was changed. Free some space and try again.',
  fileSystem: (message) =>
    `${message}: nothing was changed. Make sure that this user has access to it.`,
};

export const orExplainBackup = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  orExplain(signal, failures, work);

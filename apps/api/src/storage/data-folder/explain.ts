import { CommandError } from '../../cli/errors.ts';
import { ReplaceError } from './replace.ts';

export const replaceFailures = {
  explain: (error: unknown): CommandError | undefined =>
    error instanceof ReplaceError
      ? new CommandError('conflict', `${error.message}. Nothing was changed.`)
      : undefined,
  diskFull: 'The disk is full; nothing was changed. Free some space and try again.',
  fileSystem: (message: string) =>
    `${message}: nothing was changed. Make sure that this user has access to it.`,
};

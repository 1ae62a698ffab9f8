import { type StorageFailure, storageFailureOf } from '@app/db/storage-failure';
import { StartupError } from '../startup-error.ts';

/** Whether tables or columns are missing that migrations create, so the database was edited. */
const isSchemaError = (error: unknown): error is Error =>
  error instanceof Error &&
  (error as { code?: unknown }).code === 'SQLITE_ERROR' &&
  error.message.startsWith('no such ');

type Waited = 'busy' | 'unavailable' | 'moved';

/** Whether startup waits until the failure ends. A completed move is detected earlier. */
export const isWaitedFor = (failure: StorageFailure): failure is Waited =>
  failure === 'busy' || failure === 'unavailable' || failure === 'moved';

/** Explains how to fix a storage failure. Returns other errors unchanged. */
export function toStartupError(error: unknown, dataDir: string): Error {
  const failure = storageFailureOf(error);
  if (isSchemaError(error)) {
    return new StartupError(
      `The database in DATA_DIR ${dataDir} does not have the tables of this version (${error.message}): restore a backup with \`pnpm cli restore FILE\`.`,
      { cause: error },
    );
  }
  if (failure === null || isWaitedFor(failure) || error instanceof StartupError) {
    return error as Error;
  }
  const reason = (error as Error).message;
  const messages: Record<Exclude<StorageFailure, Waited>, string> = {
    full: `The disk of DATA_DIR ${dataDir} is full: free some space, then start again.`,
    'read-only': `The disk of DATA_DIR ${dataDir} is read-only: remount it as writable, then start again.`,
    io: `DATA_DIR ${dataDir} cannot be read or written (${reason}): check its permissions and its disk, then start again.`,
    corrupt: `The database in DATA_DIR ${dataDir} is damaged (${reason}): restore a backup with \`pnpm cli restore FILE\`.`,
  };
  return new StartupError(messages[failure], { cause: error });
}

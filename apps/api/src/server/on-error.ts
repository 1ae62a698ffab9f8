import { imageMessages } from '@app/contract/images';
import { serverMessages } from '@app/contract/messages';
import { isTransient, type StorageFailure } from '@app/db/storage-failure';
import type { Log } from '../log.ts';
import { S3Error } from '../s3/errors.ts';
import type { AppContext } from './context.ts';
import { problem } from './problem.ts';

/** Retry-After in seconds: for a locked database, a full or failing disk, and for the bucket. */
const busySeconds = 2;
const storageSeconds = 15;
const bucketSeconds = 5;

interface ErrorDeps {
  log: Log;
  storage: { note(error: unknown): StorageFailure | null };
}

/** 503 with Retry-After (RFC 9110 §10.2.3) while something cannot be stored or read, else 500. */
export const onError =
  ({ log, storage }: ErrorDeps) =>
  (error: Error, c: AppContext): Response => {
    const failure = storage.note(error);
    if (isTransient(failure)) {
      const seconds = failure === 'busy' ? busySeconds : storageSeconds;
      return problem(c, 'busy', serverMessages.cannotSave, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
    // The client of the bucket has already logged it.
    if (error instanceof S3Error) {
      const headers = { 'Retry-After': String(bucketSeconds) };
      return problem(c, 'busy', imageMessages.unavailable, { headers });
    }
    log.error({ err: error, requestId: c.get('requestId') }, 'request failed');
    return problem(c, 'internal', serverMessages.failed);
  };

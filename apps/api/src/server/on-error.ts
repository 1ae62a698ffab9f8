import { isPassing, type StorageFailure } from '@app/db/storage-failure';
import type { Log } from '../log.ts';
import type { AppContext } from './context.ts';
import { problem } from './problem.ts';

/** Retry-After in seconds: for a locked database, and for a full or failing disk. */
const busySeconds = 2;
const storageSeconds = 15;

interface ErrorDeps {
  log: Log;
  storage: { note(error: unknown): StorageFailure | null };
}

/** 503 with Retry-After (RFC 9110 §10.2.3) while nothing can be written, else 500. */
export const onError =
  ({ log, storage }: ErrorDeps) =>
  (error: Error, c: AppContext): Response => {
    const failure = storage.note(error);
    if (isPassing(failure)) {
      const seconds = failure === 'busy' ? busySeconds : storageSeconds;
      const detail = 'Nothing can be saved right now. Please try again in a minute.';
      return problem(c, 'busy', detail, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
    log.error({ err: error, requestId: c.get('requestId') }, 'request failed');
    return problem(c, 'internal', 'Please try again later.');
  };

import { hour, minute } from '@app/contract/durations';
import type { Clock } from '../clock.ts';
import { S3Error } from './errors.ts';

/**
 * In milliseconds. The cleanup skips younger files, because another server may be about to write the
 * row that refers to them.
 */
export const minUnusedAge = hour;

/** In milliseconds. Slower uploads fail, for example after the process was suspended. */
const maxUpload = 30 * minute;

/**
 * @returns a function that the transaction that writes the row must call. It throws if the upload
 * took too long, because the cleanup may have removed the files
 */
export function startUpload(clock: Pick<Clock, 'now'>, name: string): () => void {
  const startedAt = clock.now();
  return () => {
    if (Math.abs(clock.now() - startedAt) <= maxUpload) return;
    throw new S3Error(`Storing ${name} in the bucket took too long`);
  };
}

import { hour, minute } from '@app/contract/durations';
import type { Clock } from '../clock.ts';
import { S3Error } from './errors.ts';

/**
 * In milliseconds. The cleanup of any server leaves younger files alone, because another one may be
 * about to write the row that refers to them.
 */
export const minUnusedAge = hour;

/** In milliseconds. An upload that took longer, such as that of a suspended process, has no row. */
const maxUpload = 30 * minute;

/** @returns what the transaction that writes the row calls; throws if the upload took too long */
export function startUpload(clock: Pick<Clock, 'now'>, name: string): () => void {
  const startedAt = clock.now();
  return () => {
    if (Math.abs(clock.now() - startedAt) <= maxUpload) return;
    throw new S3Error(`Storing ${name} in the bucket took too long`);
  };
}

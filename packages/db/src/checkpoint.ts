import { statSync } from 'node:fs';
import type { Database } from './open.ts';

/** How often it is looked whether the write-ahead log is at rest, in milliseconds. */
const lookMilliseconds = 2_000;

/** A log that grew beyond this, in bytes, because somebody read for long, is not left to be. */
const maxLogBytes = 16 * 1024 * 1024;

/**
 * Folds the write-ahead log into the database and empties its file (sqlite.org/wal.html) when
 * nothing was written since the last look, or when a long reader let it grow. SQLite alone
 * leaves the file as long as it ever was, with all that was written into it: links that were
 * used since, for one.
 * @param file of the database
 * @returns how to end it
 */
export function checkpointWhenIdle(
  db: Database,
  file: string,
  onError: (error: unknown) => void,
): () => void {
  let lastWrittenAt: number | undefined;

  function look(): void {
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (!log || log.size === 0) return;
    const isIdle = log.mtimeMs === lastWrittenAt;
    lastWrittenAt = log.mtimeMs;
    // Another process that reads or writes is in the way: then it does nothing, and is tried again.
    if (isIdle || log.size > maxLogBytes) db.$client.pragma('wal_checkpoint(TRUNCATE)');
  }

  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      onError(error);
    }
  }, lookMilliseconds).unref();
  return () => clearInterval(timer);
}

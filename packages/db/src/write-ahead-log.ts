import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The size of the database's write-ahead log, in bytes. */
export const logSize = (file: string): number =>
  statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Litestream's folder, next to a database that it replicates. */
export const replicationFolder = (file: string): string =>
  join(dirname(file), `.${basename(file)}-litestream`);

/**
 * Whether the log should be copied into the database. Litestream does that itself, after it has
 * copied the log: a checkpoint by another process would silently damage its replica.
 */
export const needsCheckpoint = (file: string): boolean =>
  logSize(file) > 0 && !existsSync(replicationFolder(file));

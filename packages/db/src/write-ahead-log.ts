import { statSync } from 'node:fs';

/** Whether the database's write-ahead log has anything in it. */
export const hasLog = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { unlessMissing } from './unless-missing.ts';

/** In DATA_DIR. */
export const lastBackupFile = 'last-backup.json';

const lastBackup = v.object({
  /** When its data was current (ISO 8601). */
  time: v.pipe(v.string(), v.isoTimestamp()),
  /** A path or an s3:// URL. */
  file: v.string(),
  bytes: v.pipe(v.number(), v.minValue(0)),
});

export type LastBackup = v.InferOutput<typeof lastBackup>;

/** Null without a backup. @throws if the file cannot be read or is invalid */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  const text = await unlessMissing(readFile(join(dataDir, lastBackupFile), 'utf8'), null);
  return text === null ? null : v.parse(lastBackup, JSON.parse(text));
}

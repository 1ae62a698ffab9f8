import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { withReadOnly } from '@app/db/read-only';
import { writeSnapshot } from '@app/db/snapshot';
import { CommandError } from '../../cli/errors.ts';
import { toIso } from '../../clock.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { type BackupContents, checkDatabase, type Reading, readArchive } from './archive.ts';
import { isDatabaseName, openArchive, type Settings } from './locations.ts';

interface BackupReading extends Omit<Reading, 'open'> {
  /** The path or s3:// URL of an archive, or the path of a copy of the database. */
  file: string;
  /** For an s3:// URL. */
  settings(): Settings;
}

export interface ReadBackup extends BackupContents {
  bytes: number;
}

/** Like `readArchive`. @throws {InvalidBackup | CommandError} */
export async function readBackup(reading: BackupReading): Promise<ReadBackup> {
  const { file, settings, database } = reading;
  if (isDatabaseName(file)) return copyDatabase(file, database);
  let bytes = 0;
  const contents = await readArchive({
    ...reading,
    async open() {
      const opened = await openArchive(file, settings);
      ({ bytes } = opened);
      return opened;
    },
  });
  return { ...contents, bytes };
}

/** @throws {S3Error | CommandError} if there is no such file */
export async function requireBackup(file: string, settings: () => Settings): Promise<void> {
  if (isDatabaseName(file)) {
    await requireFile(file);
    return;
  }
  const { source } = await openArchive(file, settings);
  source.on('error', () => undefined).destroy();
}

async function requireFile(file: string): Promise<Stats> {
  const entry = await unlessMissing(stat(file), null);
  if (entry) return entry;
  throw new CommandError('not_found', `There is no file ${file}.`);
}

async function copyDatabase(file: string, target: string): Promise<ReadBackup> {
  const entry = await requireFile(file);
  const checked = checkDatabase(file);
  // Includes what is only in the write-ahead log of a database that is in use.
  withReadOnly(file, (db) => writeSnapshot(db, target));
  const contents = { createdAt: toIso(entry.mtimeMs), uploadedFiles: 0, missing: [] };
  return { ...contents, ...checked, bytes: entry.size };
}

import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError, UsageError } from '../../cli/errors.ts';
import { credentialsOf } from '../../cli/settings.ts';
import type { Value } from '../../cli/values.ts';
import type { Env } from '../../env.ts';
import { isS3Url, parseS3Url } from '../../s3/s3-url.ts';
import { unlessMissing } from '../../unless-missing.ts';
import type { ArchiveSource } from './archive.ts';
import { archiveSuffix } from './names.ts';
import { type BackupStore, folderStore } from './store.ts';

/** A path, which is made absolute, or an s3:// URL. */
export const location = (placeholder: string, description: string): Value<string> => ({
  placeholder,
  description,
  isPath: true,
  parse(given) {
    if (given === '') throw new UsageError(`<${placeholder}> is empty.`);
    if (!isS3Url(given)) return resolve(given);
    // Rejects an invalid URL before any work.
    parseS3Url(given);
    return given;
  },
});

export type Settings = Pick<Env, 's3'>;

/**
 * @param dataDir where archives for S3 are made
 * @throws {CommandError}
 */
export async function openStore(
  folder: string,
  { settings, dataDir }: { settings: Settings; dataDir: string },
): Promise<BackupStore> {
  if (!isS3Url(folder)) return folderStore(folder);
  const { s3Store } = await import('./s3-store.ts');
  return s3Store(parseS3Url(folder), credentialsOf(settings), dataDir);
}

/** @throws {S3Error | CommandError} */
export async function openArchive(file: string, settings: () => Settings): Promise<ArchiveSource> {
  if (isS3Url(file)) return openS3Archive(file, settings());
  const entry = await unlessMissing(stat(file), null);
  if (!entry) throw new CommandError('not_found', `There is no file ${file}.`);
  if (entry.isDirectory()) refuseFolder(file, await readdir(file), (name) => join(file, name));
  return { source: createReadStream(file), bytes: entry.size };
}

async function openS3Archive(url: string, settings: Settings): Promise<ArchiveSource> {
  const at = parseS3Url(url);
  const credentials = credentialsOf(settings);
  const { openS3Object, s3Store } = await import('./s3-store.ts');
  if (at.key.endsWith(archiveSuffix)) return openS3Object(at, credentials);
  const store = s3Store(at, credentials, '');
  return refuseFolder(url, await store.list(), store.locationOf);
}

/** The database alone, such as the copy from before a migration. */
export const isDatabaseName = (file: string): boolean => file.endsWith('.db') && !isS3Url(file);

const isBackupName = (name: string): boolean =>
  name.endsWith(archiveSuffix) || /\d{3}Z\.db$/.test(name);

/** Lists the newest backups, by the time in their name if there is one. */
function refuseFolder(
  folder: string,
  names: readonly string[],
  locationOf: (name: string) => string,
): never {
  const timeOf = (name: string): string => name.slice(name.search(/\d{4}-\d\d-\d\d/));
  const newest = names
    .filter(isBackupName)
    .sort((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, 3)
    .map((name) => `\n  ${locationOf(name)}`);
  throw new CommandError(
    'invalid_file',
    newest.length > 0
      ? `${folder} is a folder: specify a file. The newest are:${newest.join('')}`
      : `${folder} is a folder without backups: specify a file.`,
  );
}

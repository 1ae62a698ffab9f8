import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandError } from '../../cli/errors.ts';
import { credentialsOf } from '../../cli/settings.ts';
import type { Value } from '../../cli/values.ts';
import type { Env } from '../../env.ts';
import { isS3Url, parseS3Url } from '../../s3/s3-url.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { folderStore } from './folder-store.ts';
import type { BackupStore } from './store.ts';

/** A path, which is made absolute, or an s3:// URL. */
export const location = (placeholder: string, description: string): Value<string> => ({
  placeholder,
  description,
  isPath: true,
  parse(given) {
    if (!isS3Url(given)) return resolve(given);
    // Rejects an invalid URL before any work.
    parseS3Url(given);
    return given;
  },
});

type Settings = Pick<Env, 's3'>;

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

export interface OpenArchive {
  source: Readable;
  bytes: number;
}

/** @throws {BackupError | CommandError} */
export async function openArchive(file: string, settings: () => Settings): Promise<OpenArchive> {
  if (isS3Url(file)) return openS3Archive(file, settings());
  const entry = await unlessMissing(stat(file), null);
  if (!entry) throw new CommandError('not_found', `There is no file ${file}.`);
  if (entry.isDirectory()) refuseFolder(file, await readdir(file), (name) => join(file, name));
  return { source: createReadStream(file), bytes: entry.size };
}

async function openS3Archive(url: string, settings: Settings): Promise<OpenArchive> {
  const at = parseS3Url(url);
  const credentials = credentialsOf(settings);
  const { openS3Object, s3Store } = await import('./s3-store.ts');
  if (isArchiveName(at.key)) return openS3Object(at, credentials);
  const store = s3Store(at, credentials, '');
  return refuseFolder(url, await store.list(), store.locationOf);
}

const isArchiveName = (name: string): boolean => name.endsWith('.tar.gz');

/** Lists the newest archives, by the time in their name if there is one. */
function refuseFolder(
  folder: string,
  names: readonly string[],
  locationOf: (name: string) => string,
): never {
  const timeOf = (name: string): string => name.slice(name.search(/\d{4}-\d\d-\d\d/));
  const newest = names
    .filter(isArchiveName)
    .sort((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, 3)
    .map((name) => `\n  ${locationOf(name)}`);
  throw new CommandError(
    'invalid_file',
    newest.length > 0
      ? `${folder} is a folder: specify a file. The newest are:${newest.join('')}`
      : `${folder} is a folder without archives: specify a file.`,
  );
}

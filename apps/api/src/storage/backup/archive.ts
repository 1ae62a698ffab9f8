import { createReadStream, createWriteStream } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { pictureFiles } from '@app/contract/blog/pictures';
import { inspectDatabase, newestSchema } from '@app/db/inspect';
import { avatarUrlsIn, picturesIn, verifySnapshot } from '@app/db/snapshot';
import { extract, type Pack, pack } from 'tar-stream';
import { isAvatarPath } from '../../accounts/profile/avatar-files.ts';
import { isPictureFile, pictureFileOf } from '../../blog/pictures/picture-files.ts';
import { megabytes } from '../../cli/megabytes.ts';
import type { Progress } from '../../cli/progress.ts';
import { toIso } from '../../clock.ts';
import { ownDatabaseFile } from '../../database-files.ts';
import { S3Error } from '../../s3/errors.ts';
import { readAhead } from '../uploads/read-ahead.ts';
import type { UploadStore } from '../uploads/upload-store.ts';

/** Of an uploaded file, which is read into memory. Larger than any that the server stores. */
const maxUploadBytes = 50_000_000;

const uploadsAtOnce = 8;

/** Archives of earlier versions end with it. gzip's checksum does the same. */
const earlierManifest = 'manifest.json';

/** The message begins in lower case, as part of a sentence. */
export class InvalidBackup extends Error {
  override name = 'InvalidBackup';
}

export interface BackupContents {
  /** ISO 8601, in whole seconds. */
  createdAt: string;
  /** Rows by table. */
  counts: Record<string, number>;
  uploadedFiles: number;
  /** Uploaded files that the database refers to but that were gone when the backup was made. */
  missing: string[];
  /** Whether its database has to be migrated at startup. */
  isOlder: boolean;
}

interface Writing {
  uploads: UploadStore;
  /** Milliseconds since 1970. */
  now: number;
  signal: AbortSignal;
  onProgress: Progress;
}

/**
 * Writes a copy of the database, then the uploaded files that it refers to (tar, gzip), and flushes
 * the archive. They still exist, although the site has gone on: names are never used again, and what
 * is deleted stays in the trash for 30 days.
 */
export async function writeArchive(archive: string, database: string, work: Writing) {
  const tar = pack();
  const output = createWriteStream(archive, { mode: 0o600, flags: 'wx', flush: true });
  const writing = pipeline(tar, createGzip(), output, { signal: work.signal });
  const adding = addEntries(tar, database, work).catch((error: Error) => tar.destroy(error));
  await Promise.all([writing, adding]);
}

async function addEntries(tar: Pack, database: string, work: Writing): Promise<void> {
  const { uploads, now, onProgress } = work;
  const entry = (name: string, size: number) =>
    tar.entry({ name, size, mode: 0o600, mtime: new Date(now) });
  onProgress('Compressing the database …');
  const { size } = await stat(database);
  const source = createReadStream(database);
  await pipeline(source, counted(size, onProgress), entry(ownDatabaseFile, size));
  onProgress('Copying avatars and pictures …');
  const names = [...uploadsOf(database)];
  let done = 0;
  for await (const [name, bytes] of readAhead(names, uploadsAtOnce, uploads.read)) {
    if (bytes) await pipeline([bytes], entry(name, bytes.length));
    done += 1;
    onProgress(done / names.length);
  }
  tar.finalize();
}

/** The names of all uploaded files that a database of this version refers to. */
function* uploadsOf(database: string): Generator<string> {
  for (const url of avatarUrlsIn(database)) {
    yield* [url, smallAvatarUrl(url)].map((each) => each.slice(1));
  }
  for (const picture of picturesIn(database)) yield* pictureFiles(picture).map(pictureFileOf);
}

export interface ArchiveSource {
  source: Readable;
  bytes: number;
}

export interface Reading {
  open(): Promise<ArchiveSource>;
  /** The file to unpack the database to. It must not exist. */
  database: string;
  /** Stores an uploaded file. By default, they are only read. */
  storeUpload?: (name: string, bytes: Buffer) => Promise<void>;
  signal: AbortSignal;
  onProgress: Progress;
}

/**
 * Unpacks and verifies an archive: gzip's checksum, and that the database is intact, belongs to this
 * program, and is not newer than this version. Stores no uploaded file before the database is known
 * to be good.
 * @throws {InvalidBackup}
 */
export async function readArchive(reading: Reading): Promise<BackupContents> {
  const { open, database, storeUpload, signal, onProgress } = reading;
  const { source, bytes } = await open();
  const tar = extract();
  const unpacking = pipeline(source, counted(bytes, onProgress), createGunzip(), tar, { signal });
  // Prevents an unhandled rejection before it is awaited.
  unpacking.catch(() => undefined);
  let found: (BackupContents & { expected: Set<string> }) | null = null;
  try {
    for await (const entry of tar) {
      // An abort also destroys the entry. `unpacking` rejects with the reason.
      entry.on('error', () => undefined);
      const { name, type, size = 0, mtime } = entry.header;
      if (found === null) {
        if (name !== ownDatabaseFile) throw new InvalidBackup(`${name} does not belong in it`);
        await requireSpace(dirname(database), size);
        const output = createWriteStream(database, { flags: 'wx', mode: 0o600, flush: true });
        await pipeline(entry, output, { signal });
        onProgress('Checking the database …');
        const { isOlder, ...checked } = checkDatabase(database);
        // Tables of earlier versions differ.
        const expected = new Set(isOlder ? [] : uploadsOf(database));
        const createdAt = toIso(mtime?.getTime() ?? 0);
        found = { createdAt, ...checked, isOlder, expected, uploadedFiles: 0, missing: [] };
      } else if (name === earlierManifest) {
        entry.resume();
      } else if (type === 'file' && isUpload(name) && size <= maxUploadBytes) {
        await storeUpload?.(name, await buffer(entry));
        entry.resume();
        found.expected.delete(name);
        found.uploadedFiles += 1;
      } else {
        throw new InvalidBackup(`${name} does not belong in it`);
      }
    }
    await unpacking;
  } catch (error) {
    tar.destroy();
    throw explainUnpacking(error);
  }
  if (found === null) throw new InvalidBackup('it is empty');
  const { expected, ...contents } = found;
  return { ...contents, missing: [...expected] };
}

/** Before it fills the disk. */
async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes <= bavail * bsize) return;
  throw new InvalidBackup(
    `its database needs ${megabytes(bytes)}, and the disk of ${folder} has ${megabytes(bavail * bsize)} of free space`,
  );
}

const isUpload = (name: string): boolean => isAvatarPath(name) || isPictureFile(name);

/** @throws {InvalidBackup} */
export function checkDatabase(file: string): Pick<BackupContents, 'counts' | 'isOlder'> {
  const found = inspectDatabase(file);
  if (found.state === 'newer') {
    throw new InvalidBackup('it was made by a newer version of this program: use that version');
  }
  if (found.state === 'damaged') {
    throw new InvalidBackup(`the database is damaged (${found.reason})`);
  }
  if (found.state !== 'inUse' && found.state !== 'unused') {
    throw new InvalidBackup('its database does not belong to this program');
  }
  try {
    const { counts, schemaVersion } = verifySnapshot(file);
    return { counts, isOlder: schemaVersion < newestSchema };
  } catch (error) {
    throw new InvalidBackup((error as Error).message, { cause: error });
  }
}

/** Reports how much of the bytes has passed. */
const counted = (bytes: number, onProgress: Progress) =>
  async function* (chunks: AsyncIterable<Buffer>) {
    let read = 0;
    for await (const chunk of chunks) {
      read += chunk.length;
      onProgress(read / bytes);
      yield chunk;
    }
  };

/** Explains the zlib and tar errors of a file that is damaged or not an archive. */
function explainUnpacking(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof InvalidBackup || error instanceof S3Error) return error;
  if (/^E[A-Z]+$/.test(code) || code === 'ABORT_ERR') return error;
  return new InvalidBackup(`it is damaged or not a backup (${message})`, { cause: error });
}

import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { inspectDatabase, newestSchema } from '@app/db/inspect';
import { verifySnapshot } from '@app/db/snapshot';
import { extract } from 'tar-stream';
import { isAvatarPath } from '../../accounts/profile/avatar-files.ts';
import { isPictureFile } from '../../blog/pictures/picture-files.ts';
import type { Progress } from '../../cli/progress.ts';
import { ownDatabaseFile } from '../../database-files.ts';
import { BackupError, type BackupManifest, manifestName, parseManifest } from './manifest.ts';

const maxEntries = 500_000;

/** Maximum, enough for `maxEntries`. */
const manifestBytes = 100_000_000;

/** Maximum between the contents of two entries: headers, their extensions, and padding. */
const bytesPerHeader = 262_144;

interface ArchiveReading {
  source: Readable;
  bytes: number;
  folder: string;
  /** What to write to the folder. The rest is only hashed. */
  unpacks: 'everything' | 'database';
  /** For tests. */
  maxFiles?: number;
  signal: AbortSignal;
  onProgress: Progress;
}

export interface VerifiedArchive {
  manifest: BackupManifest;
  /** Whether its database has to be migrated at startup. */
  isOlder: boolean;
}

/**
 * Unpacks an archive and verifies it: the files and their hashes are exactly those of the manifest,
 * and the database is undamaged, not newer than this version, and has the manifest's row counts.
 * @throws {BackupError} whose message begins in lower case, as part of a sentence
 */
export async function readArchive(reading: ArchiveReading): Promise<VerifiedArchive> {
  const { folder, onProgress } = reading;
  const { manifest, found } = await unpack(reading);
  compare(manifest.files, found);
  onProgress('Checking the database …');
  checkDatabase(join(folder, ownDatabaseFile), manifest);
  return { manifest, isOlder: manifest.versions.schema < newestSchema };
}

async function unpack(reading: ArchiveReading) {
  const { source, bytes, folder, unpacks, signal, onProgress, maxFiles = maxEntries } = reading;
  const found: BackupManifest['files'] = {};
  const budget = createBudget(await freeBytes(folder), maxFiles);
  let manifestText: string | null = null;
  const archive = extract();
  let read = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      read += chunk.length;
      onProgress(read / bytes);
      yield chunk;
    }
  };
  const piping = pipeline(source, count, createGunzip(), budget.countUnpacked, archive, { signal });
  piping.catch(() => undefined);
  try {
    for await (const entry of archive) {
      // An abort also destroys the entry. `piping` rejects with the reason.
      entry.on('error', () => undefined);
      const { name, type, size = 0 } = entry.header;
      budget.addEntry(size);
      if (name === manifestName && manifestText === null && size <= manifestBytes) {
        manifestText = await text(entry);
        continue;
      }
      const isOurs =
        type === 'file' && (name === ownDatabaseFile || isAvatarPath(name) || isPictureFile(name));
      if (!isOurs || name in found) throw new BackupError(`${name} does not belong in it`);
      const isWritten = unpacks === 'everything' || name === ownDatabaseFile;
      if (isWritten) budget.addFile(size);
      const output = isWritten ? createFile(join(folder, name)) : discard();
      found[name] = await measure(entry, output, signal);
    }
    await piping;
  } catch (error) {
    archive.destroy();
    throw explainArchive(error);
  }
  if (manifestText === null) throw new BackupError('it is incomplete, its manifest is missing');
  return { manifest: parseManifest(manifestText), found };
}

/**
 * Ends the unpacking of an archive that would fill the disk or keep it busy forever. A gigabyte of
 * zeros compresses to a megabyte. tar-stream limits the size of headers.
 * @param free bytes for its files
 */
function createBudget(free: number, maxFiles: number) {
  let entries = 0;
  let written = 0;
  let unpacked = 0;
  let maxUnpacked = bytesPerHeader;
  return {
    addEntry(size: number): void {
      entries += 1;
      maxUnpacked = unpacked + size + bytesPerHeader;
      // One more for the manifest.
      if (entries > maxFiles + 1) throw new BackupError(`it has more than ${maxFiles} files`);
    },
    async *countUnpacked(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        unpacked += chunk.length;
        if (unpacked > maxUnpacked) {
          throw new BackupError('it is damaged or not a backup (more data than its entries have)');
        }
        yield chunk;
      }
    },
    addFile(size: number): void {
      written += size;
      if (written <= free) return;
      const megabytes = Math.round(free / 1_000_000);
      throw new BackupError(
        `its files need more than the ${megabytes} MB that are free on the disk`,
        { code: 'storage' },
      );
    },
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function createFile(path: string): Writable {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
}

const discard = (): Writable =>
  new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });

async function measure(
  entry: AsyncIterable<unknown>,
  output: Writable,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(entry, count, output, { signal });
  return { bytes, sha256: hash.digest('hex') };
}

function compare(wanted: BackupManifest['files'], found: BackupManifest['files']): void {
  for (const name of Object.keys(found)) {
    if (!(name in wanted)) throw new BackupError(`${name} is not in its manifest`);
  }
  for (const [name, { bytes, sha256 }] of Object.entries(wanted)) {
    const file = found[name];
    if (!file) throw new BackupError(`${name} is missing from it`);
    if (file.bytes !== bytes || file.sha256 !== sha256) {
      throw new BackupError(`${name} has changed since the backup was made`);
    }
  }
}

function checkDatabase(file: string, manifest: BackupManifest): void {
  const database = inspectDatabase(file);
  if (database.state === 'newer') {
    throw new BackupError('it was made by a newer version of this program: use that version');
  }
  if (database.state === 'damaged') {
    throw new BackupError(`the database is damaged (${database.reason})`);
  }
  if (database.state !== 'inUse' && database.state !== 'unused') {
    throw new BackupError('its database does not belong to this program');
  }
  const { schemaVersion, counts } = verifyDatabase(file);
  if (schemaVersion !== manifest.versions.schema) {
    throw new BackupError(`its ${manifestName} and its database have different schema versions`);
  }
  for (const table of new Set([...Object.keys(counts), ...Object.keys(manifest.counts)])) {
    const [rows, expected] = [counts[table], manifest.counts[table]];
    if (rows !== expected) {
      throw new BackupError(
        `its ${manifestName} counts ${expected ?? 'no'} rows of ${table}, its database has ${rows ?? 'none'}`,
      );
    }
  }
}

function verifyDatabase(file: string): ReturnType<typeof verifySnapshot> {
  try {
    return verifySnapshot(file);
  } catch (error) {
    throw new BackupError((error as Error).message, { cause: error });
  }
}

/** Explains the zlib and tar errors of a file that is damaged or not an archive. */
function explainArchive(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof BackupError || /^E[A-Z]+$/.test(code) || code === 'ABORT_ERR') return error;
  return new BackupError(`it is damaged or not a backup (${message})`, { cause: error });
}

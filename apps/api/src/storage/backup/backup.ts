import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { pictureFiles } from '@app/contract/blog/pictures';
import type { Database } from '@app/db/open';
import { avatarUrlsIn, picturesIn, verifySnapshot, writeSnapshot } from '@app/db/snapshot';
import { type Pack, pack } from 'tar-stream';
import { pictureFileOf } from '../../blog/pictures/picture-files.ts';
import { megabytes } from '../../cli/megabytes.ts';
import type { Progress } from '../../cli/progress.ts';
import { toIso } from '../../clock.ts';
import { ownDatabaseFile } from '../../database-files.ts';
import { readAhead } from '../uploads/read-ahead.ts';
import type { UploadStore } from '../uploads/upload-store.ts';
import { readArchive } from './archive.ts';
import { BackupError, type BackupManifest, backupFormat, manifestName } from './manifest.ts';

export interface BackupWork {
  uploads: UploadStore;
  /** Must be empty and private. The caller deletes it. */
  folder: string;
  /** Milliseconds since 1970. */
  now: number;
  signal: AbortSignal;
  onProgress: Progress;
}

export interface Backup {
  manifest: BackupManifest;
  /** A file in the folder, flushed to the disk. */
  archive: string;
  bytes: number;
}

/**
 * Writes the database and the files that it refers to into an archive (tar, gzip) while a server
 * runs, and verifies it. Copies the database first. The files it refers to can still be found after
 * that: names never change, deleted avatars stay in the trash for 30 days, and pictures are only
 * deleted when nothing has used them for 30 days.
 * @throws {BackupError}
 */
export async function makeBackup(db: Database, work: BackupWork): Promise<Backup> {
  const { folder, signal, onProgress } = work;
  const snapshot = join(folder, 'snapshot.db');
  onProgress('Copying the database …');
  writeSnapshot(db, snapshot);
  // Signals arrive between synchronous steps.
  await yieldToEventLoop();
  signal.throwIfAborted();
  onProgress(`Checking its copy (${megabytes(statSync(snapshot).size)}) …`);
  const contents = verifySnapshot(snapshot);
  await yieldToEventLoop();
  signal.throwIfAborted();

  const archive = join(folder, 'archive');
  const manifest = await writeArchive(archive, snapshot, { work, contents });
  await rm(snapshot);
  const { size: bytes } = await stat(archive);
  onProgress(`Verifying the archive (${megabytes(bytes)}) …`);
  await verifyArchive(archive, bytes, work);
  return { manifest, archive, bytes };
}

async function verifyArchive(
  archive: string,
  bytes: number,
  { folder, signal, onProgress }: BackupWork,
): Promise<void> {
  const source = createReadStream(archive);
  try {
    await readArchive({
      ...{ source, bytes, folder, signal },
      unpacks: 'database',
      // Only the share: steps of the verification are not reported.
      onProgress: (what) => typeof what === 'number' && onProgress(what),
    });
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new BackupError(`The archive was damaged while it was written: ${error.message}`);
  }
}

const filesAtOnce = 8;

interface ArchiveSource {
  work: BackupWork;
  contents: ReturnType<typeof verifySnapshot>;
}

async function writeArchive(
  archive: string,
  snapshot: string,
  { work, contents }: ArchiveSource,
): Promise<BackupManifest> {
  const { uploads, now, signal, onProgress } = work;
  const tar = pack();
  const output = createWriteStream(archive, { mode: 0o600, flags: 'wx', flush: true });
  const written = pipeline(tar, createGzip(), output, { signal });
  // Prevents an unhandled rejection before it is awaited.
  written.catch(() => undefined);

  const files: BackupManifest['files'] = {};
  const missing: string[] = [];
  const add = async (name: string, content: FileContent) => {
    files[name] = await addFile(tar, { name, content, now, written });
  };
  onProgress('Compressing the database …');
  await using database = await open(snapshot);
  const { size } = await database.stat();
  const chunks = database.createReadStream({ autoClose: false });
  await add(ownDatabaseFile, { size, chunks, onProgress });
  onProgress('Copying avatars and pictures …');
  const names = namesIn(snapshot, contents.counts['pictures'] ?? 1);
  const copying = readAhead(names, filesAtOnce, ({ name }) => uploads.read(name));
  for await (const [{ name, share }, bytes] of copying) {
    signal.throwIfAborted();
    if (!bytes) missing.push(name);
    else await add(name, { size: bytes.length, chunks: [bytes], onProgress: () => undefined });
    onProgress(share);
  }
  const manifest: BackupManifest = {
    format: backupFormat,
    createdAt: toIso(now),
    versions: {
      schema: contents.schemaVersion,
      sqlite: process.versions['sqlite'] ?? '',
      node: process.versions.node,
    },
    counts: contents.counts,
    files,
    missing,
  };
  tar.entry({ name: manifestName, mode: 0o600, mtime: new Date(now) }, JSON.stringify(manifest));
  tar.finalize();
  await written;
  return manifest;
}

/** The names of all files that the database refers to. `share` is how much is done after each. */
function* namesIn(snapshot: string, pictures: number): Generator<{ name: string; share: number }> {
  for (const avatarUrl of avatarUrlsIn(snapshot)) {
    for (const url of [avatarUrl, smallAvatarUrl(avatarUrl)]) {
      yield { name: url.slice(1), share: 0 };
    }
  }
  let copied = 0;
  for (const picture of picturesIn(snapshot)) {
    copied += 1;
    for (const url of pictureFiles(picture)) {
      yield { name: pictureFileOf(url), share: copied / pictures };
    }
  }
}

interface FileContent {
  size: number;
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>;
  onProgress(share: number): void;
}

async function addFile(
  tar: Pack,
  file: { name: string; content: FileContent; now: number; written: Promise<void> },
): Promise<{ bytes: number; sha256: string }> {
  const { name, now, written } = file;
  const { size, chunks, onProgress } = file.content;
  const hash = createHash('sha256');
  const entry = tar.entry({ name, size, mode: 0o600, mtime: new Date(now) });
  // An abort also destroys the entry. `written` rejects with the reason.
  entry.on('error', () => undefined);
  let read = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    read += chunk.length;
    onProgress(read / size);
    // There is no 'drain' event if writing the archive failed.
    if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), failureOf(written)]);
  }
  const ended = once(entry, 'finish');
  entry.end(null);
  await Promise.race([ended, failureOf(written)]);
  return { bytes: size, sha256: hash.digest('hex') };
}

/** Rejects when writing the archive fails; never resolves. */
const failureOf = (written: Promise<void>): Promise<never> =>
  written.then(() => new Promise<never>(() => undefined));

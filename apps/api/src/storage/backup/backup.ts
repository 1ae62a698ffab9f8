import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, statSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { pictureFiles } from '@app/contract/blog/pictures';
import type { Database } from '@app/db/open';
import { avatarUrlsIn, picturesIn, verifySnapshot, writeSnapshot } from '@app/db/snapshot';
import { type Pack, pack } from 'tar-stream';
import { createAvatarFiles } from '../../accounts/profile/avatar-files.ts';
import { pictureFileOf } from '../../blog/pictures/picture-files.ts';
import { syncFolders } from '../../publishing/atomic-files.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { BackupError, type BackupManifest, backupFormat, manifestName } from './manifest.ts';

export interface BackupWork {
  dataDir: string;
  file: string;
  now: number;
  signal: AbortSignal;
  onProgress(line: string): void;
}

/**
 * Writes the database and the files that it refers to into an archive (tar, gzip) while a server
 * runs. Files are never renamed, and deleted avatars stay in the trash for 30 days, so the database
 * is copied first. Pictures are only deleted after nothing has used them for 30 days.
 *
 * The archive is complete and flushed, or does not exist.
 * @throws {BackupError}
 */
export async function makeBackup(db: Database, work: BackupWork): Promise<BackupManifest> {
  const { file, signal, onProgress } = work;
  if (existsSync(file)) {
    throw new BackupError(`${file} exists already: choose another name, such as one with the date`);
  }
  const folder = dirname(file);
  // On the archive's disk; only readable by its owner.
  const partial = await mkdtemp(join(folder, `.${basename(file)}.partial-`));
  try {
    const snapshot = join(partial, 'site.db');
    onProgress('Copying the database …');
    writeSnapshot(db, snapshot);
    signal.throwIfAborted();
    onProgress(`Checking its copy (${megabytes(statSync(snapshot).size)}) …`);
    const contents = verifySnapshot(snapshot);
    signal.throwIfAborted();

    const archive = join(partial, 'archive');
    const manifest = await writeArchive(archive, snapshot, { work, contents });
    await rename(archive, file);
    await syncFolders([folder]);
    return manifest;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

interface ArchiveSource {
  work: BackupWork;
  contents: ReturnType<typeof verifySnapshot>;
}

async function writeArchive(
  archive: string,
  snapshot: string,
  { work, contents }: ArchiveSource,
): Promise<BackupManifest> {
  const { dataDir, now, signal, onProgress } = work;
  const tar = pack();
  const output = createWriteStream(archive, { mode: 0o600, flags: 'wx', flush: true });
  const written = pipeline(tar, createGzip(), output, { signal });
  // Handled where the archive is awaited.
  written.catch(() => undefined);

  const avatars = createAvatarFiles(dataDir);
  const files: BackupManifest['files'] = {};
  const missing: string[] = [];
  const add = async (name: string, handle: FileHandle) => {
    files[name] = await addFile(tar, { name, handle, now, written });
  };
  await add('site.db', await open(snapshot));
  let shown = performance.now();
  const addUpload = async (name: string, handle: FileHandle | null) => {
    if (handle) await add(name, handle);
    else missing.push(name);
    if (performance.now() - shown > 2_000) {
      shown = performance.now();
      onProgress(`Copying files: ${Object.keys(files).length} …`);
    }
  };
  for (const avatarUrl of avatarUrlsIn(snapshot)) {
    for (const url of [avatarUrl, smallAvatarUrl(avatarUrl)]) {
      const name = url.slice(1);
      await addUpload(name, await openNamed(avatars, name));
    }
  }
  for (const picture of picturesIn(snapshot)) {
    for (const name of pictureFiles(picture).map(pictureFileOf)) {
      await addUpload(name, await unlessMissing(open(join(dataDir, name)), null));
    }
  }
  const manifest: BackupManifest = {
    format: backupFormat,
    createdAt: new Date(now).toISOString(),
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

/** Even if it is moved to the trash at this moment. */
async function openNamed(
  avatars: ReturnType<typeof createAvatarFiles>,
  name: string,
): Promise<FileHandle | null> {
  const [userId = '', file = ''] = name.split('/').slice(-2);
  for (;;) {
    const path = await avatars.find(userId, file);
    if (path === null) return null;
    try {
      return await open(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function addFile(
  tar: Pack,
  entryOf: { name: string; handle: FileHandle; now: number; written: Promise<void> },
): Promise<{ bytes: number; sha256: string }> {
  const { name, handle, now, written } = entryOf;
  await using _ = handle;
  const { size } = await handle.stat();
  const hash = createHash('sha256');
  const entry = tar.entry({ name, size, mode: 0o600, mtime: new Date(now) });
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    hash.update(chunk);
    // After an error of the archive there is no 'drain' event.
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

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
